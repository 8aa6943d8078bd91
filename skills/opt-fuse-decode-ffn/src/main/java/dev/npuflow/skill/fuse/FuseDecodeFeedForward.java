package dev.npuflow.skill.fuse;

import static dev.npuflow.skill.Assessment.applies;
import static dev.npuflow.skill.Assessment.doesNotApply;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Step;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.FailureMode;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.skill.SkillFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Replaces O, addition, norm, gate, up, SiLU·mul, Down, addition of a decode layer by upstream's three launches (docs/upstream.md, "The ELFs of llama32_1b"):
/// `gemv_add`, `gemv_swiglu_rms`, `gemv_add`. Gate and up keep their fp32 sums, so the self-check asks for cosine, not for equal bits.
public final class FuseDecodeFeedForward implements Skill {

    @Override public String name() {
        return "opt-fuse-decode-ffn";
    }

    @Override public boolean changesArithmetic() {
        return true;
    }

    @Override public Assessment assess(Deployment deployment, SkillContext context) {
        if (context.phase() != Phase.DECODE) {
            return doesNotApply("its kernels multiply one vector: decode only");
        }
        Optional<FeedForward> found = FeedForward.find(deployment.decode());
        if (found.isEmpty()) {
            return doesNotApply("no neighbouring calls compute O, add, norm, gate, up, SiLU·mul, Down, add with nothing read in between");
        }
        FusedCall fused = FusedCall.of(found.get(), context.placement());
        return switch (fused) {
            case FusedCall.Refused(String reason, var _) -> doesNotApply(reason);
            case FusedCall.Placed _ -> applies("%d launches in %d %s become 3 in 1".formatted(found.get().launches(), found.get().calls().size(),
                    found.get().calls().size() == 1 ? "call" : "calls"));
        };
    }

    @Override public Deployment apply(Deployment deployment, SkillContext context) throws SkillFailure {
        FeedForward found = FeedForward.find(deployment.decode()).orElseThrow(() -> new SkillFailure("there is no such group of launches",
                List.of()));
        return switch (FusedCall.of(found, context.placement())) {
            case FusedCall.Refused(String reason, var blockers) -> throw new SkillFailure(reason, blockers);
            case FusedCall.Placed(NpuCall call) -> deployment.withPhase(Phase.DECODE, replaced(deployment.decode(), found, call));
        };
    }

    private static PhasePlan replaced(PhasePlan plan, FeedForward found, NpuCall call) {
        List<Step> layer = new ArrayList<>();
        for (Step step : plan.layer()) {
            if (step == found.calls().getFirst()) {
                layer.add(call);
            } else if (found.calls().stream().noneMatch(member -> member == step)) {
                layer.add(step);
            }
        }
        return new PhasePlan(plan.prologue(), layer, plan.epilogue());
    }

    @Override public List<FailureMode> failureModes() {
        return List.of(
                new FailureMode("does not place", "a width is no multiple of 512, or the hidden size is 2560 or more", "keep the merged launches"),
                new FailureMode("wrong from the first token on", "gate and up rows are not interleaved", "row 2i of the gate, row 2i + 1 of up"),
                new FailureMode("right in layer 0, wrong from layer 1 on", "the packed argument is static under a key that all layers share",
                        "key the buffer objects per layer"));
    }
}
