package dev.npuflow.workflow.phase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.decision.DecisionFigures;
import dev.npuflow.workflow.decision.GainRule;
import dev.npuflow.workflow.decision.Repetition;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.phase.PhaseResult.Status;
import java.nio.file.Path;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongFunction;
import java.util.function.LongToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The loop on a target that varies: by chance, with rare runs that are far off, and by growing slower all the time. The times are made up; the loop and the ledger are
/// real.
class NoisyPhaseTest {

    /// Two runs differ by 1.1 % in the middle.
    private static final double STEADY = 0.01;

    /// Seeds where a hundred would say no more.
    private static final int FEW = 4;

    private static final LongToDoubleFunction NO_DRIFT = _ -> 0;

    @TempDir private Path workspace;
    @AutoClose private LoopBench bench;

    @BeforeEach void begin() {
        bench = new LoopBench(workspace);
    }

    /// How a device drifts. A skill's plan is always measured later than the baseline.
    private enum Drift {
        /// 0.5 % slower from run to run.
        SLOWER(runs -> 0.005 * runs),
        /// 0.5 % faster: after 40 runs one fifth.
        FASTER(runs -> -0.005 * runs),
        /// It grows warm and stays so: 20 % slower in the end, two thirds of it in the first 20 runs.
        WARM(runs -> 0.2 * -Math.expm1(-runs / 20.0));

        private final LongToDoubleFunction share;

        Drift(LongToDoubleFunction share) {
            this.share = share;
        }
    }

    private static ScriptedTarget target(DoubleUnaryOperator clock) {
        return new ScriptedTarget(new Repetition.Varying(0), clock).takes("start", 10);
    }

    private static ScriptedTarget target(long seed, double deviation, LongToDoubleFunction drift) {
        return target(new NoisyClock(seed, deviation, drift));
    }

    private ReasonCode code(ScriptedTarget target) {
        return LoopBench.only(bench.again().run(target, "changed")).code();
    }

    private long kept(int runs, LongFunction<ScriptedTarget> targets) {
        return LongStream.range(0, runs).mapToObj(targets).filter(target -> code(target) == ReasonCode.FASTER).count();
    }

    /// How many phases ended because the plan before did not seem to come back.
    private long accused(int runs, LongFunction<ScriptedTarget> targets) {
        return LongStream.range(0, runs).mapToObj(targets).filter(target -> {
            try {
                bench.again().run(target, "changed");
                return false;
            } catch (NpuflowException fault) {
                assertEquals("NPF-522", fault.id());
                return true;
            }
        }).count();
    }

    @Test void the_clock_differs_as_upstreams_nightly_does() {
        NoisyClock clock = new NoisyClock(1, NoisyClock.NIGHTLY, NO_DRIFT);
        List<Double> differences = IntStream.range(0, 20_000).mapToObj(_ -> {
            double first = clock.applyAsDouble(1);
            return Math.abs(first / clock.applyAsDouble(1) - 1);
        }).sorted().toList();
        assertEquals(0.037, differences.get(10_000), 0.002);
        assertEquals(0.107, differences.get(18_000), 0.004);
    }

    @Test void of_100_plans_that_take_as_long_as_before_at_most_5_are_kept() {
        long kept = kept(100, seed -> target(seed, NoisyClock.NIGHTLY, NO_DRIFT).takes("changed", 10));
        assertTrue(kept <= 5, kept + " of 100");
    }

    @Test void a_gain_of_10_percent_beyond_the_noise_is_kept() {
        assertEquals(FEW, kept(FEW, seed -> target(seed, STEADY, NO_DRIFT).takes("changed", 8.9)));
    }

    @Test void a_gain_within_the_noise_is_reverted_for_that() {
        List<ReasonCode> codes = LongStream.range(0, FEW).mapToObj(seed -> code(target(seed, NoisyClock.NIGHTLY, NO_DRIFT).takes("changed", 9.8))).distinct().toList();
        assertEquals(List.of(ReasonCode.WITHIN_NOISE), codes);
    }

    @Test void a_plan_that_is_slower_is_not_faster() {
        assertEquals(ReasonCode.NOT_FASTER, code(target(0, STEADY, NO_DRIFT).takes("changed", 12)));
    }

    @ParameterizedTest @EnumSource void a_target_that_drifts_makes_no_gain_of_it(Drift drift) {
        assertEquals(0, kept(FEW, seed -> target(seed, STEADY, drift.share).takes("changed", 10)));
    }

    @ParameterizedTest @EnumSource void a_gain_is_kept_on_a_target_that_drifts_too(Drift drift) {
        assertEquals(FEW, kept(FEW, seed -> target(seed, STEADY, drift.share).takes("changed", 7)));
    }

    @ParameterizedTest @EnumSource void an_honest_revert_is_not_accused_where_the_target_drifts(Drift drift) {
        assertEquals(0, accused(FEW, seed -> target(seed, STEADY, drift.share).takes("changed", 12)));
    }

    @Test void a_revert_that_did_not_restore_is_found() {
        assertEquals(FEW, accused(FEW, seed -> target(seed, STEADY, NO_DRIFT).takes("changed", 12).doesNotComeBack("start", 12)));
    }

    /// Such a plan was not measured: the baseline's samples are the last there are.
    @Test void so_is_one_after_a_plan_that_the_gate_refused() {
        assertEquals(FEW, accused(FEW, seed -> target(seed, STEADY, NO_DRIFT).takes("changed", 7).judges("changed", Verdict.GATE_FAIL).doesNotComeBack("start", 7)));
        assertEquals(0, accused(FEW, seed -> target(seed, STEADY, NO_DRIFT).takes("changed", 7).judges("changed", Verdict.GATE_FAIL)));
    }

    @Test void plans_are_measured_in_pairs_and_each_pair_the_other_way_round() {
        ScriptedTarget target = target(0, STEADY, NO_DRIFT).takes("changed", 7);
        bench.run(target, "changed");
        List<String> measured = target.asked().stream().filter(asked -> asked.startsWith("profile")).map(asked -> asked.substring("profile ".length())).toList();
        assertEquals(List.of("start", "start", "start", "start", "start"), measured.subList(0, 5));
        assertEquals(List.of("start", "changed", "changed", "start", "start", "changed", "changed", "start", "start", "changed"), measured.subList(5, 15));
    }

    @Test void more_pairs_are_measured_while_it_is_undecided_and_no_more_than_the_rule_allows() {
        bench.gain = new GainRule(0, 5, 8);
        ScriptedTarget target = target(DoubleUnaryOperator.identity()).takes("changed", 9, 10.5, 9, 10.5, 9, 10.5, 9, 10.5);
        SkillRecord undecided = LoopBench.only(bench.run(target, "changed"));
        assertEquals(8, undecided.comparison().orElseThrow().pairs());
        assertEquals(ReasonCode.WITHIN_NOISE, undecided.code());
        assertEquals(8, target.asked().stream().filter("profile changed"::equals).count());
    }

    /// Times that a test wrote down, one a measurement: 5 of the baseline, 5 pairs, and 5 pairs of the final plan with the baseline.
    @Test void the_figures_of_a_decision_stand_in_record_ledger_and_document() {
        PhaseResult result = bench.run(target(DoubleUnaryOperator.identity()).takes("start", 10, 10.1, 9.9, 10, 10, 10, 10.2, 9.8, 10, 10, 10).takes("changed", 8, 8.16, 7.84, 8), "changed");
        SkillRecord kept = LoopBench.only(result);
        DecisionFigures figures = kept.comparison().orElseThrow();
        assertEquals(-0.2, figures.mean(), 1e-9);
        assertEquals(0.01004, figures.noise(), 1e-4);
        assertEquals(10.2, figures.samples().get(1).before());
        assertEquals("10.000 → 8.000 ms/token, -20.0 % (95 % interval -20.0 to -20.0 %, 5 pairs; below -1.0 % counts)", kept.reason());
        assertEquals(List.of("APPLIED applied", "COMPILED compiles", "SELF_CHECKED pass", "VERIFIED pass", "MEASURED compared", "KEPT faster"), bench.history(1));
        assertEquals(figures, bench.details(1, PhaseJournal.COMPARED, DecisionFigures.class));
        assertEquals(List.of("MEASURED compared"), bench.history(2));
        List<String> evidence = new RecordedPhase(bench.ledger, bench.run).document(Phase.DECODE, "PASS", List.of()).skills().getFirst().evidence();
        assertTrue(evidence.contains("samples, ms before/after: 10.000/8.000 10.200/8.160 9.800/7.840 10.000/8.000 10.000/8.000"), evidence.toString());
        assertTrue(evidence.contains("compared in turn: -20.0 % (95 % interval -20.0 to -20.0 %, 5 pairs; below -1.0 % counts); noise of two runs 1.0 %, by 5 runs of the baseline"),
                evidence.toString());
    }

    @Test void the_final_plan_is_compared_with_the_baseline_in_turn_as_well() {
        ScriptedTarget target = target(0, STEADY, NO_DRIFT).takes("a", 8).takes("b", 6);
        PhaseResult result = bench.run(target, "a", "b");
        assertEquals(Status.PASS, result.status());
        assertEquals(-0.4, result.comparison().orElseThrow().mean(), 0.02);
        assertTrue(result.reason().startsWith("verified, and faster than the baseline: "), result.reason());
        assertTrue(result.reason().endsWith(result.comparison().orElseThrow().text()), result.reason());
    }

    @Test void a_phase_that_kept_nothing_is_not_faster_whatever_the_target_does_meanwhile() {
        PhaseResult result = bench.run(target(0, STEADY, Drift.FASTER.share).takes("changed", 12), "changed");
        assertEquals(Status.FAIL, result.status());
        assertTrue(result.comparison().isEmpty());
    }

    /// The times of the interrupted run say nothing of the target as it is now.
    @Test void a_resumed_run_measures_again_what_it_goes_on_from() {
        bench.run(target(0, STEADY, NO_DRIFT).takes("fast", 8), "fast");
        ScriptedTarget again = target(1, STEADY, NO_DRIFT).takes("fast", 8);
        assertEquals(Status.PASS, bench.run(again, "fast").status());
        assertEquals(5, again.asked().subList(0, again.asked().lastIndexOf("verify fast")).stream().filter("profile fast"::equals).count());
    }
}
