package dev.npuflow.skill.testkit;

import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Skill;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A baseline plan that the kit knows, by its model and the phase that is judged.
record KnownPlan(ModelShape shape, Phase phase) {

    /// Two layers each: the smallest, one whose widths the fused kernels take, one with wide heads, one with norms of heads, and one with biases.
    private static final List<ModelShape> SHAPES = List.of(TinyModel.SHAPE,
            new ModelShape("tiny_wide", 2, 512, 512, 16, 4, 32, 128, false, false, false, 1e-5, 2048),
            new ModelShape("tiny_wide_heads", 2, 256, 256, 2, 1, 128, 128, false, false, false, 1e-5, 2048),
            new ModelShape("tiny_head_norms", 2, 64, 128, 2, 1, 32, 128, false, false, true, 1e-5, 2048),
            new ModelShape("tiny_biases", 2, 64, 128, 2, 1, 32, 128, false, true, false, 1e-5, 2048));

    private static final List<Phase> PHASES = List.of(Phase.DECODE, Phase.PREFILL);

    /// The first that the skill says it applies to, or on which it fails; the smallest, in decode, where it applies to none.
    static KnownPlan changedBy(Skill skill, Duration limit) {
        for (ModelShape shape : SHAPES) {
            for (Phase phase : PHASES) {
                Optional<Assessment> assessment = new GivenPlan(skill, TinyModel.baseline(shape), GivenPlan.context(skill, phase, Map.of()), limit).answer();
                if (assessment.isEmpty() || assessment.get() instanceof Assessment.Proposal) {
                    return new KnownPlan(shape, phase);
                }
            }
        }
        return new KnownPlan(TinyModel.SHAPE, Phase.DECODE);
    }
}
