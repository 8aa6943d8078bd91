package dev.npuflow.workflow.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.List;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RestorationTest {

    private static final Noise TWO_PERCENT = new Noise(5, 0.02);

    /// Every other run is 0.1 % slower.
    private static double steady(int run) {
        return run % 2 == 0 ? 10 : 10.01;
    }

    private static List<Sample> runs(int from, int to, IntToDoubleFunction milliseconds) {
        return IntStream.range(from, to).mapToObj(run -> new Sample(run, milliseconds.applyAsDouble(run))).toList();
    }

    private static Restoration restored(double factor) {
        return Restoration.of(runs(0, 6, RestorationTest::steady), runs(6, 12, run -> factor * steady(run)), TWO_PERCENT);
    }

    @Test void a_plan_that_takes_as_long_as_before_is_back() {
        assertInstanceOf(Restoration.Same.class, restored(1));
    }

    /// The target may still run the plan that was to be undone, whether that is slower or faster.
    @ParameterizedTest @ValueSource(doubles = {1.1, 0.9})
    void a_plan_that_takes_another_time_is_not(double factor) {
        assertEquals(factor - 1, assertInstanceOf(Restoration.Changed.class, restored(factor)).difference().mean(), 2e-3);
    }

    @ParameterizedTest @ValueSource(doubles = {1.015, 0.985})
    void a_step_within_the_noise_is_none(double factor) {
        assertInstanceOf(Restoration.Same.class, restored(factor));
    }

    @ParameterizedTest @ValueSource(doubles = {1.02, 0.98})
    void at_the_edge_of_the_noise_more_samples_have_to_tell(double factor) {
        assertInstanceOf(Restoration.Undecided.class, restored(factor));
    }

    /// 2 % a run: the plan takes a quarter more than before, and nothing but time went by.
    @ParameterizedTest @ValueSource(doubles = {0.02, -0.02})
    void a_target_that_drifts_is_not_accused_of_it(double drift) {
        IntToDoubleFunction warm = run -> steady(run) * Math.exp(drift * run);
        assertInstanceOf(Restoration.Same.class, Restoration.of(runs(0, 6, warm), runs(6, 12, warm), TWO_PERCENT));
        assertInstanceOf(Restoration.Changed.class, Restoration.of(runs(0, 6, warm), runs(6, 12, run -> 1.1 * warm.applyAsDouble(run)), TWO_PERCENT));
    }
}
