package dev.npuflow.workflow.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Evidence;
import dev.npuflow.workflow.gate.ObservedStep;
import dev.npuflow.workflow.gate.SelfCheck;
import dev.npuflow.workflow.lowering.StepTime;
import dev.npuflow.workflow.measurement.Profile;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class EvidenceSectionsTest {

    private static final Optional<SelfCheck> EQUAL_BITS = Optional.of(new SelfCheck(1, 0, 0, Optional.empty()));

    /// 2 tokens; a call takes as many milliseconds a token as said.
    private static Optional<ProfileSummary> time(Object... nameAndMilliseconds) {
        List<StepTime> steps = Stream.iterate(0, i -> i < nameAndMilliseconds.length, i -> i + 2)
                .map(i -> new StepTime((String) nameAndMilliseconds[i], StepTime.Kind.NPU, StepTime.Section.LAYER, 0, 0, 0,
                        2_000_000_000L * (Integer) nameAndMilliseconds[i + 1], 0, 0, 0, 0)).toList();
        return Optional.of(ProfileSummary.of(new Profile("toy", "npu2", "f00d", "simulated", 16, 7, 2048, 2, 0, 0, steps, steps, List.of())));
    }

    @Test void what_a_skill_says_stands_before_the_time_of_the_steps_that_it_names() {
        Evidence merge = Evidence.of("Multi-launch merge: qk", "Launches merged: 2").timing(List.of("q_gemv", "k_gemv"), List.of("qk"));
        assertEquals(List.of(new SkillSection("Multi-launch merge: qk", List.of("Launches merged: 2", "Latency before: 10.0000 ms",
                "Latency after: 4.0000 ms", "Gain: 60.0%", "Cosine vs before: 1.000000", "max_abs / max_rel: 0.000 / 0.000", "Gate: PASS"))),
                new EvidenceSections(Phase.DECODE, time("q_gemv", 7, "k_gemv", 3, "other", 50), time("qk", 4, "other", 50), EQUAL_BITS, "PASS").of(List.of(merge)));
    }

    @Test void a_change_that_names_no_steps_is_told_by_the_time_of_the_whole_pass() {
        assertEquals(List.of("Latency before: 60.0000 ms", "Latency after: 54.0000 ms", "Gain: 10.0%"),
                new EvidenceSections(Phase.DECODE, time("q_gemv", 10, "other", 50), time("qk", 4, "other", 50), EQUAL_BITS, "PASS").of(List.of(Evidence.of("All")))
                        .getFirst().bullets().subList(0, 3));
    }

    @Test void what_was_not_measured_or_checked_is_said_so() {
        assertEquals(List.of("Latency before: 10.0000 ms", "Latency after: not measured", "Gain: not measured", "Cosine vs before: not run", "max_abs / max_rel: not run",
                "Gate: not asked"), new EvidenceSections(Phase.DECODE, time("q_gemv", 10), Optional.empty(), Optional.empty(), "not asked").of(List.of(Evidence.of("All")))
                        .getFirst().bullets());
    }

    @Test void a_check_of_different_shapes_has_words_where_others_have_figures() {
        Optional<SelfCheck> shapes = Optional.of(SelfCheck.compare(List.of(new ObservedStep(0, List.of(new ObservedStep.Vector("logits", new float[2])))), List.of(), true));
        assertEquals(List.of("Cosine vs before: none (1 steps before, 0 after)", "max_abs / max_rel: none (1 steps before, 0 after)"),
                new EvidenceSections(Phase.DECODE, Optional.empty(), Optional.empty(), shapes, "not run").of(List.of(Evidence.of("All"))).getFirst().bullets().subList(3, 5));
    }

    @Test void the_text_of_a_skill_begins_no_line_and_no_html_of_the_document() {
        SkillSection section = new EvidenceSections(Phase.DECODE, time("q", 1), time("q", 1), EQUAL_BITS, "PASS").of(List.of(Evidence.of("a\n# b", "<b>\r\n- c"))).getFirst();
        assertEquals("a # b", section.title());
        assertEquals("\\<b> - c", section.bullets().getFirst());
    }

    @Test void a_skill_that_shows_nothing_has_no_section() {
        assertEquals(List.of(), new EvidenceSections(Phase.DECODE, time("q", 1), time("q", 1), EQUAL_BITS, "PASS").of(List.of()));
    }
}
