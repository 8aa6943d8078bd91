package dev.npuflow.workflow.phase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.workflow.decision.GainRule;
import dev.npuflow.workflow.decision.Repetition;
import dev.npuflow.workflow.gate.GateRules;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.phase.PhaseResult.Status;
import dev.npuflow.workflow.report.Outcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The loop's decisions on a target that repeats exactly. The ledger is real.
class PhaseDecisionsTest {

    @TempDir private Path workspace;
    @AutoClose private LoopBench bench;

    @BeforeEach void begin() {
        bench = new LoopBench(workspace);
    }

    private PhaseResult loop(ScriptedTarget target, String... skills) {
        return bench.run(target, skills);
    }

    private static ReasonCode code(PhaseResult result) {
        return LoopBench.only(result).code();
    }

    @Test void a_plan_that_is_faster_and_right_is_kept() {
        PhaseResult result = loop(new ScriptedTarget().takes("start", 10).takes("fast", 8), "fast");
        assertEquals(ReasonCode.FASTER, code(result));
        assertEquals(ScriptedTarget.plan("fast").hash(), result.last().deployment().hash());
        assertEquals(Status.PASS, result.status());
        assertEquals(1.25, result.speedUp());
    }

    @Test void a_plan_that_takes_exactly_as_long_is_not_kept() {
        PhaseResult result = loop(new ScriptedTarget().takes("start", 10).takes("same", 10), "same");
        assertEquals(ReasonCode.NOT_FASTER, code(result));
        assertEquals(ScriptedTarget.plan("start").hash(), result.last().deployment().hash());
        assertEquals(Status.FAIL, result.status());
    }

    @Test void a_gain_below_the_smallest_that_counts_is_not_kept_and_says_so() {
        PhaseResult result = loop(new ScriptedTarget().takes("start", 10).takes("little", 9.991), "little");
        assertEquals(ReasonCode.NOT_FASTER, code(result));
        assertEquals("correct, but not faster: 10.000 → 9.991 ms/token, less than the 0.1 % that count", LoopBench.only(result).reason());
    }

    @Test void a_gain_that_counts_is_kept() {
        assertEquals(ReasonCode.FASTER, code(loop(new ScriptedTarget().takes("start", 10).takes("enough", 9.989), "enough")));
    }

    @Test void without_a_smallest_gain_a_picosecond_counts_and_nothing_does_not() {
        bench.gain = GainRule.USUAL.withMinimumGain(0);
        assertEquals(ReasonCode.FASTER, code(loop(new ScriptedTarget().takes("start", 10).takes("picosecond", 9.999_999_999), "picosecond")));
    }

    @Test void without_a_smallest_gain_the_same_time_is_not_kept() {
        bench.gain = GainRule.USUAL.withMinimumGain(0);
        assertEquals(ReasonCode.NOT_FASTER, code(loop(new ScriptedTarget().takes("start", 10).takes("same", 10), "same")));
    }

    /// A host operation of -600 heads did that.
    @ParameterizedTest @ValueSource(doubles = {-1.7, 0})
    void a_plan_that_takes_no_time_is_a_fault_and_no_gain(double milliseconds) {
        PhaseResult result = loop(new ScriptedTarget().takes("start", 10).takes("free", milliseconds), "free");
        assertEquals(ReasonCode.TARGET_FAILED, code(result));
        assertTrue(LoopBench.only(result).reason().startsWith("NPF-525"), LoopBench.only(result).reason());
        assertEquals(ScriptedTarget.plan("start").hash(), result.last().deployment().hash());
    }

    @Test void a_plan_whose_bits_may_differ_is_not_kept_with_an_operator_beyond_its_noise() {
        PhaseResult result = bench.beyondNoise("fast", "attention").run(new ScriptedTarget().takes("start", 10).takes("fast", 8), LoopBench.changingBits("fast"));
        assertEquals(ReasonCode.OPERATOR_BEYOND_NOISE, code(result));
        assertTrue(LoopBench.only(result).reason().contains("attention: call/launch"), LoopBench.only(result).reason());
        assertEquals(List.of(ScriptedTarget.plan("fast")), bench.localized());
    }

    @Test void an_operator_that_was_beyond_its_noise_before_is_not_the_skills() {
        bench.beyondNoise("start", "attention").beyondNoise("fast", "attention");
        assertEquals(ReasonCode.FASTER, code(bench.run(new ScriptedTarget().takes("start", 10).takes("fast", 8), LoopBench.changingBits("fast"))));
    }

    @Test void a_plan_of_the_same_bits_is_not_looked_at_operator_by_operator() {
        assertEquals(ReasonCode.FASTER, code(bench.beyondNoise("fast", "attention").run(new ScriptedTarget().takes("start", 10).takes("fast", 8), "fast")));
    }

    @Test void without_a_self_check_every_plan_is_looked_at_operator_by_operator() {
        bench.selfCheck = false;
        assertEquals(ReasonCode.OPERATOR_BEYOND_NOISE, code(bench.beyondNoise("fast", "attention").run(new ScriptedTarget().takes("start", 10).takes("fast", 8), "fast")));
    }

    @Test void a_final_plan_that_fails_the_longer_check_fails_the_phase() {
        PhaseResult result = loop(new ScriptedTarget().takes("start", 10).takes("fast", 8).judgesLonger("fast", Verdict.GATE_FAIL), "fast");
        assertEquals(Status.FAIL, result.status());
        assertEquals("the final plan does not pass the longer check: scripted", result.reason());
    }

    @Test void the_longer_check_is_the_final_plans_alone_and_is_not_the_gates_verdict() {
        ScriptedTarget target = new ScriptedTarget().takes("start", 10).takes("fast", 8).judgesLonger("start", Verdict.GATE_FAIL).judgesLonger("fast", Verdict.PASS);
        PhaseResult result = loop(target, "fast");
        assertEquals(Status.PASS, result.status());
        assertEquals(GateRules.TOKENS, result.gate().tokens());
        assertEquals(List.of("verify longer fast"), target.asked().stream().filter(asked -> asked.startsWith("verify longer")).toList());
        String fast = ScriptedTarget.plan("fast").hash();
        assertEquals(GateRules.LONGER, RecordedPhase.longer(bench.ledger, bench.run, fast).orElseThrow().tokens());
        assertEquals(GateRules.TOKENS, RecordedPhase.gate(bench.ledger, bench.run, fast).orElseThrow().tokens());
    }

    @ParameterizedTest @EnumSource(names = {"GATE_FAIL", "VACUOUS"})
    void a_plan_that_the_gate_refuses_is_neither_measured_nor_kept(Verdict verdict) {
        ScriptedTarget target = new ScriptedTarget().takes("start", 10).takes("wrong", 1).judges("wrong", verdict);
        PhaseResult result = loop(target, "wrong");
        assertEquals(ReasonCode.GATE_FAILED, code(result));
        assertFalse(target.asked().contains("profile wrong"));
    }

    @ParameterizedTest @EnumSource(names = {"INFRA_ERROR", "LOCK_TIMEOUT"})
    void a_gate_that_came_to_no_judgement_reverts_and_blames_the_target(Verdict verdict) {
        assertEquals(ReasonCode.TARGET_FAILED, code(loop(new ScriptedTarget().takes("start", 10).takes("x", 1).judges("x", verdict), "x")));
    }

    @Test void a_plan_that_fails_the_self_check_is_not_shown_to_the_gate() {
        ScriptedTarget target = new ScriptedTarget().takes("start", 10).takes("wrong", 1).failsTheSelfCheck("wrong", "layer 0 differs");
        PhaseResult result = loop(target, "wrong");
        assertEquals(ReasonCode.SELF_CHECK_FAILED, code(result));
        assertEquals("self-check: layer 0 differs", LoopBench.only(result).reason());
        assertFalse(target.asked().contains("verify wrong"));
    }

    @Test void a_plan_that_runs_other_calls_than_it_has_is_reverted() {
        PhaseResult result = loop(new ScriptedTarget().takes("start", 10).takes("merged", 1).runsStrayCalls("merged", 3), "merged");
        assertEquals(ReasonCode.TARGET_FAILED, code(result));
        assertTrue(LoopBench.only(result).reason().startsWith("NPF-524"), LoopBench.only(result).reason());
    }

    @Test void a_revert_is_compiled_and_measured_again() {
        ScriptedTarget target = new ScriptedTarget().takes("start", 10).takes("slow", 12);
        PhaseResult result = loop(target, "slow");
        SkillRecord slow = LoopBench.only(result);
        assertEquals(Outcome.REVERTED, slow.outcome());
        assertEquals(ScriptedTarget.plan("start").hash(), slow.revertedTo().orElseThrow().plan());
        assertEquals(10, slow.revertedTo().orElseThrow().milliseconds());
        List<String> after = target.asked().subList(target.asked().indexOf("profile slow") + 1, target.asked().size());
        assertEquals(List.of("compile start", "profile start"), after.subList(0, 2));
    }

    @Test void a_decision_of_a_target_that_repeats_exactly_has_no_figures_but_the_two_times() {
        PhaseResult result = loop(new ScriptedTarget().takes("start", 10).takes("fast", 8).takes("slow", 9), "fast", "slow");
        assertEquals(List.of(Optional.empty(), Optional.empty()), result.skills().stream().map(SkillRecord::comparison).toList());
        assertEquals(Optional.empty(), result.comparison());
        assertFalse(CanonicalJson.write(result.skills().getFirst()).contains("comparison"));
    }

    @Test void a_target_that_repeats_exactly_may_not_drift_at_all() {
        ScriptedTarget target = new ScriptedTarget().takes("start", 10, 10.000_001).takes("slow", 12);
        assertEquals("NPF-522", assertThrows(NpuflowException.class, () -> loop(target, "slow")).id());
    }

    @Test void a_revert_after_which_the_plan_before_does_not_compile_stops_the_phase() {
        ScriptedTarget target = new ScriptedTarget().takes("start", 10).takes("slow", 12).compiles("start", true, false);
        assertEquals("NPF-521", assertThrows(NpuflowException.class, () -> loop(target, "slow")).id());
    }

    @Test void a_final_plan_that_no_longer_passes_fails_the_phase() {
        ScriptedTarget target = new ScriptedTarget(new Repetition.Varying(0.05), DoubleUnaryOperator.identity()).takes("start", 10).takes("fast", 8).judges("fast", Verdict.PASS, Verdict.GATE_FAIL);
        PhaseResult result = loop(target, "fast");
        assertEquals(Status.FAIL, result.status());
        assertEquals("the final plan does not pass the gate: scripted", result.reason());
    }

    @Test void the_verdict_says_both_times_and_whether_they_fell() {
        assertEquals("verified, and faster than the baseline: 10.000 → 8.000 ms/token",
                loop(new ScriptedTarget().takes("start", 10).takes("fast", 8), "fast").reason());
    }

    @Test void a_phase_that_kept_nothing_says_so() {
        assertEquals("verified, and not faster than the baseline: 10.000 → 10.000 ms/token",
                loop(new ScriptedTarget().takes("start", 10).takes("slow", 11), "slow").reason());
    }

    @Test void a_plan_that_does_not_compile_is_skipped_with_its_blocker() {
        ScriptedTarget target = new ScriptedTarget().takes("start", 10).compiles("large", false);
        PhaseResult result = loop(target, "large");
        assertEquals(ReasonCode.DOES_NOT_COMPILE, code(result));
        assertEquals("BD_COUNT in launch: out of buffer descriptors", LoopBench.only(result).reason());
        assertFalse(target.asked().contains("verify large"));
    }

    @Test void a_start_that_fails_the_gate_ends_the_phase_before_any_skill() {
        PhaseResult result = loop(new ScriptedTarget().takes("start", 10).takes("fast", 1).judges("start", Verdict.GATE_FAIL), "fast");
        assertEquals(Status.FAIL, result.status());
        assertEquals(List.of(), result.skills());
    }

    @Test void a_second_skill_starts_from_what_the_first_left() {
        PhaseResult result = loop(new ScriptedTarget().takes("start", 10).takes("a", 8).takes("b", 7), "a", "b");
        assertEquals(ScriptedTarget.plan("a").hash(), result.skills().getLast().planBefore());
        assertEquals(7, result.last().milliseconds());
    }

    @Test void a_dry_run_verifies_and_measures_no_skill() {
        ScriptedTarget target = new ScriptedTarget().takes("start", 10).takes("fast", 8);
        bench.dryRun = true;
        PhaseResult result = loop(target, "fast");
        assertEquals(ReasonCode.COMPILES_ONLY, code(result));
        assertEquals(result.baseline(), result.last());
        assertFalse(target.asked().contains("verify fast"));
    }

    @Test void a_resumed_run_measures_no_settled_skill_again_and_ends_the_same() {
        PhaseResult first = loop(new ScriptedTarget().takes("start", 10).takes("fast", 8).takes("slow", 9), "fast", "slow");
        ScriptedTarget again = new ScriptedTarget();
        PhaseResult resumed = loop(again, "fast", "slow");
        assertEquals(first, resumed);
        assertEquals(List.of("compile start", "verify longer fast"), again.asked());
    }

    @Test void a_run_is_not_resumed_on_another_plan() {
        loop(new ScriptedTarget().takes("start", 10).takes("a", 8).takes("b", 7), "a", "b");
        assertEquals("NPF-523", assertThrows(NpuflowException.class, () -> loop(new ScriptedTarget(), "b", "a")).id());
    }
}
