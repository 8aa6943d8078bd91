package dev.npuflow.workflow.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.generation.GenerationProgress;
import dev.npuflow.workflow.generation.TokenEngine;
import dev.npuflow.workflow.generation.TokenTrace;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/// A vocabulary of two ids with the logits (d, 0): at every step id 0 is chosen on both sides, so that only the distribution can tell them apart.
class DistributionRuleTest {

    private static final GateRules RULES = new GateRules(2, 4);
    private static final float RIGHT = 2;
    /// KL between (2, 0) and (2.1, 0), computed by hand: p = e²/(1 + e²); ln((1 + e^2.1)/(1 + e²)) − 0.1 p.
    private static final double APART = 5.11804e-4;

    @Test void a_plan_at_three_times_the_noise_passes_and_one_beyond_does_not() {
        GateResult within = judged(2.1f, APART / 2.99, 2);
        assertEquals(Verdict.PASS, within.verdict());
        assertEquals(2.99, within.distribution().orElseThrow().ratio(), 0.005);
        GateResult beyond = judged(2.1f, APART / 3.01, 2);
        assertEquals(Verdict.GATE_FAIL, beyond.verdict());
        assertEquals(1, beyond.everyStepPassed());
        assertEquals(1, beyond.upstreamPassed());
        assertTrue(beyond.reason().contains("3.01 × the bf16 noise"), beyond.reason());
    }

    @Test void the_mean_decides_over_all_steps_and_the_largest_decides_nothing() {
        GateResult result = GateRun.run(engine(2, 2, 2, 2.4f), List.of(new int[] {1}), List.of(expected(RIGHT, 2e-3, 2)), RULES, GenerationProgress.SILENT);
        DistributionCheck check = result.distribution().orElseThrow();
        assertEquals(Verdict.PASS, result.verdict());
        assertTrue(check.largest() > DistributionCheck.FACTOR * check.largestNoise());
        assertEquals(check.largest() / 4, check.mean(), 1e-12);
    }

    @Test void prompts_count_by_their_steps() {
        DistributionCheck two = DistributionCheck.of(List.of(1.0, 3.0), List.of(1.0, 1.0));
        DistributionCheck one = DistributionCheck.of(List.of(5.0), List.of(4.0));
        DistributionCheck over = DistributionCheck.over(List.of(Optional.of(two), Optional.of(one))).orElseThrow();
        assertEquals(new DistributionCheck(3, 2, 5, 4, 3), over);
        assertEquals(1.5, over.ratio());
        assertEquals(Optional.empty(), DistributionCheck.over(List.of(Optional.of(two), Optional.empty())));
        assertEquals(Optional.empty(), DistributionCheck.over(List.of()));
    }

    @Test void recorded_tokens_hold_no_logits_and_the_rule_says_so() {
        GateResult result = GateRun.run(engine(9, 9, 9, 9), List.of(new int[] {1}), List.of(Expected.tokens(trace())), RULES, GenerationProgress.SILENT);
        assertEquals(Verdict.PASS, result.verdict());
        assertEquals(Optional.empty(), result.distribution());
        assertTrue(result.reason().contains("not judged"), result.reason());
    }

    @Test void logits_of_another_vocabulary_fail() {
        GateResult result = GateRun.run(engine(2, 2, 2, 2), List.of(new int[] {1}), List.of(expected(RIGHT, 1, 3)), RULES, GenerationProgress.SILENT);
        assertEquals(Verdict.GATE_FAIL, result.verdict());
        assertTrue(result.reason().contains("the NPU has 2 logits, the reference 3"), result.reason());
    }

    @Test void a_yardstick_of_too_few_steps_fails() {
        Yardstick shorter = new Fixed(RIGHT, 1, 2, 3);
        GateResult result = GateRun.run(engine(2, 2, 2, 2), List.of(new int[] {1}), List.of(new Expected(trace(), Optional.of(shorter))), RULES,
                GenerationProgress.SILENT);
        assertEquals(Verdict.GATE_FAIL, result.verdict());
        assertTrue(result.reason().contains("3 steps of 4"), result.reason());
    }

    @Test void no_noise_allows_no_difference_and_equal_logits_pass_it() {
        assertEquals(Verdict.PASS, judged(RIGHT, 0, 2).verdict());
        assertEquals(Verdict.GATE_FAIL, judged(2.1f, 0, 2).verdict());
    }

    @Test void what_is_no_number_has_not_passed() {
        assertFalse(new DistributionCheck(Double.NaN, 1, 1, 1, 1).passed());
        assertFalse(new DistributionCheck(1, Double.NaN, 1, 1, 1).passed());
        assertThrows(IllegalArgumentException.class, () -> new GateResult(Verdict.PASS, "", RULES,
                judged(RIGHT, 1, 2).prompts(), Optional.of(new DistributionCheck(4, 1, 4, 1, 4))));
    }

    private static GateResult judged(float npu, double noise, int vocabulary) {
        return GateRun.run(engine(npu, npu, npu, npu), List.of(new int[] {1}), List.of(expected(RIGHT, noise, vocabulary)), RULES, GenerationProgress.SILENT);
    }

    private static Expected expected(float logit, double noise, int vocabulary) {
        return new Expected(trace(), Optional.of(new Fixed(logit, noise, vocabulary, RULES.tokens())));
    }

    private static TokenTrace trace() {
        return new TokenTrace(Collections.nCopies(4, 0), Collections.nCopies(4, List.of(0, 1)));
    }

    private record Fixed(float logit, double each, int vocabulary, int steps) implements Yardstick {

        @Override public float[] unrounded(int step) {
            float[] logits = new float[vocabulary];
            logits[0] = logit;
            return logits;
        }

        @Override public double noise(int step) {
            return each;
        }
    }

    private static TokenEngine engine(float... firstLogits) {
        return new TokenEngine() {

            private int step;

            @Override public float[] prefill(int[] prompt) {
                step = 0;
                return new float[] {firstLogits[step], 0};
            }

            @Override public float[] decode(int token) {
                step++;
                return new float[] {firstLogits[step], 0};
            }

            @Override public void close() {}
        };
    }
}
