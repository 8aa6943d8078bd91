package dev.npuflow.workflow.report;

import static dev.npuflow.plan.Transfer.EVERY_CALL;
import static dev.npuflow.plan.Transfer.INTERMEDIATE;
import static dev.npuflow.plan.Transfer.STATIC;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.gate.ObservedStep;
import dev.npuflow.workflow.gate.SelfCheck;
import dev.npuflow.workflow.target.Profile;
import dev.npuflow.workflow.target.StepTime;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SkillSectionsTest {

    private static final Optional<SelfCheck> EQUAL_BITS = Optional.of(new SelfCheck(1, 0, 0, Optional.empty()));
    private static final Deployment APART = SamplePlans.of(SamplePlans.call("q_gemv", EVERY_CALL, EVERY_CALL, "q"),
            SamplePlans.call("k_gemv", EVERY_CALL, EVERY_CALL, "k"), SamplePlans.transpose("t1"));

    /// 2 tokens; a call takes as many milliseconds a token as said.
    private static Optional<ProfileSummary> time(Object... nameAndMilliseconds) {
        List<StepTime> steps = Stream.iterate(0, i -> i < nameAndMilliseconds.length, i -> i + 2)
                .map(i -> new StepTime((String) nameAndMilliseconds[i], StepTime.Kind.NPU, StepTime.Section.LAYER, 0, 0, 0,
                        2_000_000_000L * (Integer) nameAndMilliseconds[i + 1], 0, 0, 0, 0)).toList();
        return Optional.of(ProfileSummary.of(new Profile("toy", "npu2", "f00d", "simulated", 16, 7, 2048, 2, 0, 0, steps, steps, List.of())));
    }

    private static List<SkillSection> sections(Deployment after, Optional<ProfileSummary> before, Optional<ProfileSummary> afterwards) {
        return new SkillSections(Phase.DECODE, APART, after, before, afterwards, EQUAL_BITS, "PASS").sections();
    }

    @Test void a_merge_is_told_with_its_group_and_gain() {
        Deployment merged = SamplePlans.of(SamplePlans.call("qk", EVERY_CALL, EVERY_CALL, "q", "k"), SamplePlans.transpose("t1"));
        assertEquals(List.of(new SkillSection("Multi-launch merge: qk", List.of("Sub-kernels merged: 2", "Latency before: 10.0000 ms",
                "Latency after: 4.0000 ms", "Gain: 60.0%", "Cosine vs unmerged: 1.000000", "max_abs / max_rel: 0.000 / 0.000", "make verify: PASS"))),
                sections(merged, time("q_gemv", 7, "k_gemv", 3, "other", 50), time("qk", 4, "other", 50)));
    }

    @Test void a_check_of_different_shapes_has_words_where_others_have_figures() {
        Optional<SelfCheck> shapes = Optional.of(SelfCheck.compare(List.of(new ObservedStep(0, List.of(new ObservedStep.Vector("logits", new float[2])))), List.of(), true));
        Deployment merged = SamplePlans.of(SamplePlans.call("qk", EVERY_CALL, EVERY_CALL, "q", "k"), SamplePlans.transpose("t1"));
        List<String> bullets = new SkillSections(Phase.DECODE, APART, merged, Optional.empty(), Optional.empty(), shapes, "not run").sections().getFirst().bullets();
        assertEquals(List.of("Cosine vs unmerged: none (1 steps before, 0 after)", "max_abs / max_rel: none (1 steps before, 0 after)"), bullets.subList(4, 6));
    }

    @Test void buffer_object_reuse_is_told_by_both_its_halves() {
        Deployment reused = SamplePlans.of(SamplePlans.call("q_gemv", STATIC, EVERY_CALL, "q"),
                SamplePlans.call("k_gemv", STATIC, EVERY_CALL, "k"), SamplePlans.transpose("t1"));
        assertEquals(List.of(new SkillSection("Buffer-object reuse", List.of("B1 weight BOs: applied (2 arguments, 0.004 MiB a set)",
                "B2 intermediate BOs: skipped (nothing new that the device overwrites)", "Host/wall time before: 10.0000 ms",
                "Host/wall time after: not measured", "Cosine vs baseline: 1.000000 | make verify: PASS"))),
                sections(reused, time("q_gemv", 7, "k_gemv", 3), Optional.empty()));
        Deployment intermediate = SamplePlans.of(SamplePlans.call("q_gemv", EVERY_CALL, INTERMEDIATE, "q"), SamplePlans.transpose("t1"));
        assertEquals("B2 intermediate BOs: applied (1 arguments, 0.002 MiB a set)",
                sections(intermediate, Optional.empty(), Optional.empty()).getFirst().bullets().get(1));
    }

    @Test void removed_transposes_are_told_by_name() {
        Deployment aligned = SamplePlans.of(APART.decode().layer().get(0), APART.decode().layer().get(1));
        SkillSection section = sections(aligned, Optional.empty(), Optional.empty()).getFirst();
        assertEquals("Layout alignment", section.title());
        assertEquals(List.of("Transposes removed: t1", "head_dim >= 128 routed head-first: N-A"), section.bullets().subList(0, 2));
    }

    @Test void a_plan_that_did_not_change_has_nothing_to_tell() {
        assertEquals(List.of(), sections(APART, Optional.empty(), Optional.empty()));
    }
}
