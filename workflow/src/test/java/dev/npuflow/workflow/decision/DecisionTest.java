package dev.npuflow.workflow.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.npuflow.workflow.decision.Decision.Ground;
import dev.npuflow.workflow.decision.Decision.Kept;
import dev.npuflow.workflow.decision.Decision.Reverted;
import dev.npuflow.workflow.decision.Decision.Undecided;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The statistics against figures that were computed elsewhere, and the rule at its edges.
class DecisionTest {

    private static final GainRule NO_LEAST = GainRule.USUAL.withMinimumGain(0);

    /// scipy.stats: logs of the ratios have mean -0.1 and deviation 0.0158114; t(0.975, 4) = 2.776445; half width 0.0196324.
    private static final List<Pair> TEN_PERCENT = logRatios(-0.12, -0.11, -0.10, -0.09, -0.08);

    private static List<Pair> logRatios(double... logs) {
        return DoubleStream.of(logs).mapToObj(log -> new Pair(10, 10 * Math.exp(log))).toList();
    }

    private static Comparison.Paired paired(double noise, List<Pair> pairs) {
        return new Comparison.Paired(pairs, new Noise(5, noise));
    }

    @Test void the_difference_of_pairs_has_students_interval() {
        Difference difference = Difference.of(TEN_PERCENT);
        assertEquals(Math.exp(-0.1) - 1, difference.mean(), 1e-12);
        assertEquals(Math.exp(-0.1 - 0.0196324) - 1, difference.lower(), 1e-6);
        assertEquals(Math.exp(-0.1 + 0.0196324) - 1, difference.upper(), 1e-6);
    }

    @Test void pairs_the_other_way_round_differ_by_the_inverse() {
        Difference there = Difference.of(TEN_PERCENT);
        Difference back = Difference.of(TEN_PERCENT.stream().map(pair -> new Pair(pair.after(), pair.before())).toList());
        assertEquals(1, (1 + there.mean()) * (1 + back.mean()), 1e-12);
        assertEquals(1, (1 + there.lower()) * (1 + back.upper()), 1e-12);
    }

    /// What slows both of a pair says nothing of their difference.
    @Test void a_target_that_grows_slower_does_not_widen_the_interval() {
        List<Pair> warm = TEN_PERCENT.stream().map(pair -> new Pair(pair.before() * TEN_PERCENT.indexOf(pair) * 3 + 1, (pair.before() * TEN_PERCENT.indexOf(pair) * 3 + 1) * pair.after() / 10))
                .toList();
        assertEquals(Difference.of(TEN_PERCENT).upper(), Difference.of(warm).upper(), 1e-12);
    }

    /// numpy.linalg.lstsq: drift 0.00407407 a run, step 0.10444444, its standard error 0.01295767; t(0.9995, 4) = 8.610302.
    @Test void the_step_between_two_series_is_beside_their_drift() {
        Difference step = Difference.step(List.of(at(0, 0), at(3, 0.02), at(4, 0.01), at(7, 0.03)), List.of(at(10, 0.14), at(11, 0.16), at(12, 0.15)), 0.999);
        assertEquals(Math.exp(0.10444444) - 1, step.mean(), 1e-8);
        assertEquals(Math.exp(0.10444444 - 8.610302 * 0.01295767) - 1, step.lower(), 1e-7);
        assertEquals(Math.exp(0.10444444 + 8.610302 * 0.01295767) - 1, step.upper(), 1e-7);
    }

    private static Sample at(long run, double log) {
        return new Sample(run, Math.exp(log));
    }

    private static List<Double> exp(double... logs) {
        return DoubleStream.of(logs).map(Math::exp).boxed().toList();
    }

    /// Deviation of -0.02 … 0.02 is 0.0158114; two of such differ by √2 times that.
    @Test void noise_is_what_two_runs_differ_by() {
        Noise noise = Noise.of(new Repetition.Varying(0), exp(-0.02, -0.01, 0, 0.01, 0.02));
        assertEquals(Math.exp(0.0223607) - 1, noise.share(), 1e-6);
        assertEquals(5, noise.runs());
    }

    @Test void a_noise_below_what_the_clock_shows_is_not_believed() {
        assertEquals(0.003, Noise.of(new Repetition.Varying(0.003), List.of(10.0, 10.0, 10.0, 10.0, 10.0)).share());
    }

    @Test void a_gain_whose_whole_interval_is_beyond_the_noise_is_kept() {
        assertInstanceOf(Kept.class, paired(0.07, TEN_PERCENT).decide(NO_LEAST));
    }

    @Test void a_gain_whose_interval_reaches_into_the_noise_is_undecided() {
        assertInstanceOf(Undecided.class, paired(0.08, TEN_PERCENT).decide(NO_LEAST));
        assertInstanceOf(Undecided.class, paired(0.11, TEN_PERCENT).decide(NO_LEAST));
    }

    @Test void a_gain_whose_whole_interval_is_within_the_noise_is_reverted_for_that() {
        assertEquals(Ground.WITHIN_NOISE, assertInstanceOf(Reverted.class, paired(0.12, TEN_PERCENT).decide(NO_LEAST)).ground());
    }

    @Test void a_gain_that_is_beyond_the_noise_and_below_the_least_that_counts_is_too_little() {
        assertEquals(Ground.TOO_LITTLE, assertInstanceOf(Reverted.class, paired(0.01, TEN_PERCENT).decide(GainRule.USUAL.withMinimumGain(0.2))).ground());
    }

    @Test void a_plan_that_is_slower_is_not_faster_whatever_the_noise() {
        List<Pair> slower = TEN_PERCENT.stream().map(pair -> new Pair(pair.after(), pair.before())).toList();
        assertEquals(Ground.NOT_FASTER, assertInstanceOf(Reverted.class, paired(0.5, slower).decide(NO_LEAST)).ground());
    }

    @Test void equal_samples_are_within_the_noise_even_where_there_is_none() {
        Decision same = paired(0, logRatios(0, 0, 0, 0, 0)).decide(NO_LEAST);
        assertInstanceOf(Undecided.class, same);
    }

    /// One lucky sample of five moves the mean by 10 % and proves nothing.
    @Test void one_sample_that_is_far_off_does_not_make_a_gain() {
        assertInstanceOf(Undecided.class, paired(0, logRatios(0, 0, -0.5, 0, 0)).decide(NO_LEAST));
    }

    @ParameterizedTest @CsvSource({"10, 8, 0.001, KEPT", "10, 10, 0, NOT_FASTER", "10, 11, 0.001, NOT_FASTER", "10, 9.991, 0.001, TOO_LITTLE", "10, 5, 0.5, KEPT", "10, 9.999999999, 0, KEPT"})
    void on_a_target_that_repeats_exactly_the_two_times_decide(double before, double after, double least, String expected) {
        Decision decision = new Comparison.Exact(before, after).decide(GainRule.USUAL.withMinimumGain(least));
        assertEquals(expected, switch (decision) {
            case Kept _ -> "KEPT";
            case Reverted(var _, Ground ground) -> ground.name();
            case Undecided _ -> "UNDECIDED";
        });
        assertEquals(Optional.empty(), decision.figures(GainRule.USUAL));
    }

    @Test void the_figures_say_what_the_decision_rests_on() {
        DecisionFigures figures = paired(0.07, TEN_PERCENT).decide(GainRule.USUAL).figures(GainRule.USUAL).orElseThrow();
        assertEquals("-9.5 % (95 % interval -11.3 to -7.7 %, 5 pairs; below -7.0 % counts)", figures.text());
        assertEquals("10.000/8.869 10.000/8.958 10.000/9.048 10.000/9.139 10.000/9.231", figures.samplesText());
        assertEquals(TEN_PERCENT, figures.samples());
        assertEquals(0.001, figures.minimumGain());
    }

    @ParameterizedTest @ValueSource(doubles = {-0.1, 1, Double.NaN})
    void a_rule_that_no_plan_can_meet_is_refused(double share) {
        assertThrows(IllegalArgumentException.class, () -> GainRule.USUAL.withMinimumGain(share));
        assertThrows(IllegalArgumentException.class, () -> new Repetition.Varying(share));
    }

    @Test void fewer_than_five_pairs_are_refused() {
        assertThrows(IllegalArgumentException.class, () -> new GainRule(0, 4, 20));
        assertThrows(IllegalArgumentException.class, () -> new GainRule(0, 6, 5));
        assertEquals(5, new GainRule(0, 5, 5).mostPairs());
    }
}
