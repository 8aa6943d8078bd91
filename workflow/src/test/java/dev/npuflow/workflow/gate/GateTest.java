package dev.npuflow.workflow.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.generation.GenerationProgress;
import dev.npuflow.workflow.generation.GreedyDecoder;
import dev.npuflow.workflow.generation.TokenEngine;
import dev.npuflow.workflow.generation.TokenTrace;
import dev.npuflow.workflow.generation.ToyEngine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class GateTest {

    private static final GateRules RULES = GateRules.UPSTREAM;
    private static final int[] PROMPT = {1, 2};
    private static final TokenTrace REFERENCE = GreedyDecoder.trace(new ToyEngine(3, 40, 0, 0), PROMPT, 32, 5);

    private static GateResult run(TokenEngine npu, TokenTrace reference) {
        return GateRun.run(npu, List.of(PROMPT), List.of(Expected.tokens(reference)), RULES, GenerationProgress.SILENT);
    }

    private static PromptCheck check(TokenTrace npu, TokenTrace reference) {
        return Gate.check(0, List.of(1), npu, reference, RULES, List.of(), OptionalDouble.empty(), Optional.empty());
    }

    @Test void equal_sides_pass_with_all_tokens_of_both_recorded() {
        GateResult result = run(new ToyEngine(3, 40, 0, 0), REFERENCE);
        assertEquals(Verdict.PASS, result.verdict());
        assertEquals(REFERENCE, result.prompts().getFirst().npu());
        assertEquals(32, result.prompts().getFirst().steps());
        assertTrue(result.prompts().getFirst().minimumMargin().getAsDouble() > 0);
    }

    @Test void a_first_difference_within_the_top_5_and_a_later_one_outside_passes_upstreams_rule_and_fails_every_step() {
        List<List<Integer>> topK = new ArrayList<>(Collections.nCopies(32, List.of(1, 2, 3, 4, 5)));
        TokenTrace reference = traceOf(topK);
        topK.set(4, List.of(2, 1, 3, 4, 5));
        topK.set(20, List.of(9, 8, 7, 6, 0));
        PromptCheck check = check(traceOf(topK), reference);
        assertTrue(check.upstreamPassed());
        assertFalse(check.everyStepPassed());
        assertEquals(4, check.firstDivergence().orElseThrow().step());
        assertEquals(20, check.firstFailure().orElseThrow().step());
        assertEquals(Verdict.GATE_FAIL, Gate.decide(List.of(check), 1, RULES).verdict());
        assertEquals("step 20: test chose 9 but it is not in ref top-5 ([1, 2, 3, 4, 5]); "
                + "ref chose 1 but it is not in test top-5 ([9, 8, 7, 6, 0])", check.everyStepReason().orElseThrow());
    }

    @Test void one_direction_alone_is_not_enough() {
        TokenTrace reference = traceOf(Collections.nCopies(32, List.of(1, 2, 3, 4, 5)));
        PromptCheck check = check(traceOf(Collections.nCopies(32, List.of(2, 9, 8, 7, 6))), reference);
        assertFalse(check.upstreamPassed());
        assertEquals(2, check.firstDivergence().orElseThrow().testRank().getAsInt());
        assertTrue(check.firstDivergence().orElseThrow().referenceRank().isEmpty());
        assertEquals("ref chose 1 but it is not in test top-5 ([2, 9, 8, 7, 6])", check.upstreamReason().orElseThrow());
    }

    @Test void zero_prompts_or_zero_tokens_are_vacuous() {
        assertEquals(Verdict.VACUOUS, GateRun.run(new ToyEngine(3, 40, 0, 0), List.of(), List.of(), RULES, GenerationProgress.SILENT).verdict());
        TokenTrace nothing = new TokenTrace(List.of(), List.of());
        assertEquals(Verdict.VACUOUS,
                GateRun.run(new ToyEngine(3, 40, 0, 0), List.of(PROMPT), List.of(Expected.tokens(nothing)), new GateRules(5, 0), GenerationProgress.SILENT).verdict());
    }

    @Test void a_reference_of_the_wrong_length_or_number_is_no_reference() {
        TokenTrace cut = new TokenTrace(REFERENCE.chosen().subList(0, 31), REFERENCE.topK().subList(0, 31));
        assertEquals(Verdict.INFRA_ERROR, run(new ToyEngine(3, 40, 0, 0), cut).verdict());
        assertEquals(Verdict.INFRA_ERROR, GateRun.run(new ToyEngine(3, 40, 0, 0), List.of(PROMPT), List.of(), RULES, GenerationProgress.SILENT).verdict());
    }

    @Test void a_reference_of_another_vocabulary_is_no_reference() {
        GateResult result = run(new ToyEngine(3, 6, 0, 0), REFERENCE);
        assertEquals(Verdict.INFRA_ERROR, result.verdict());
        assertTrue(result.reason().contains("outside the model's vocabulary of 6"), result.reason());
    }

    @Test void logits_that_are_not_finite_fail_even_where_the_tokens_agree() {
        GateResult result = run(spoiled(logits -> logits[39] = Float.NEGATIVE_INFINITY), REFERENCE);
        assertEquals(REFERENCE.chosen(), result.prompts().getFirst().npu().chosen());
        assertEquals(Verdict.GATE_FAIL, result.verdict());
        assertTrue(result.reason().contains("hold a value that is not finite"), result.reason());
    }

    @Test void a_dead_elf_fails_even_where_the_reference_chose_token_0() {
        TokenTrace zeros = traceOf(Collections.nCopies(32, List.of(0, 1, 2, 3, 4)));
        GateResult result = run(spoiled(logits -> java.util.Arrays.fill(logits, 0)), zeros);
        assertEquals(Verdict.GATE_FAIL, result.verdict());
        assertFalse(result.prompts().getFirst().upstreamPassed());
    }

    @Test void a_choice_that_is_not_the_first_of_its_own_top_5_fails() {
        List<Integer> chosen = new ArrayList<>(REFERENCE.chosen());
        chosen.set(31, REFERENCE.topK().get(31).get(1));
        assertFalse(check(new TokenTrace(chosen, REFERENCE.topK()), REFERENCE).upstreamPassed());
    }

    @Test void a_prompt_that_was_not_compared_leaves_no_verdict() {
        assertEquals(Verdict.INFRA_ERROR, Gate.decide(List.of(check(REFERENCE, REFERENCE)), 2, RULES).verdict());
    }

    @Test void a_prompt_counts_its_failed_steps_and_a_result_its_prompts() {
        List<List<Integer>> wrong = new ArrayList<>(Collections.nCopies(32, List.of(1, 2, 3, 4, 5)));
        TokenTrace reference = traceOf(wrong);
        wrong.set(4, List.of(2, 1, 3, 4, 5));
        wrong.set(20, List.of(9, 8, 7, 6, 0));
        wrong.set(21, List.of(9, 8, 7, 6, 0));
        GateResult result = Gate.decide(List.of(check(reference, reference), check(traceOf(wrong), reference)), 2, RULES);
        assertEquals(2, result.prompts().getLast().failedSteps());
        assertEquals(1, result.everyStepPassed());
        assertEquals(2, result.upstreamPassed());
    }

    @Test void each_prompt_is_announced_as_it_starts() {
        List<String> told = new ArrayList<>();
        GateRun.run(new ToyEngine(3, 40, 0, 0), List.of(PROMPT, PROMPT), List.of(Expected.tokens(REFERENCE), Expected.tokens(REFERENCE)), RULES,
                (number, of, tokens) -> told.add("%d of %d, %d tokens".formatted(number, of, tokens)));
        assertEquals(List.of("1 of 2, %d tokens".formatted(RULES.tokens()), "2 of 2, %d tokens".formatted(RULES.tokens())), told);
    }

    @Test void an_empty_prompt_is_refused_before_anything_runs() {
        assertEquals("NPF-503", assertThrows(NpuflowException.class,
                () -> GateRun.run(new ToyEngine(3, 40, 0, 0), List.of(new int[0]), List.of(Expected.tokens(REFERENCE)), RULES, GenerationProgress.SILENT)).id());
    }

    @Test void the_smallest_margin_is_that_of_the_closest_step() {
        TokenTrace reference = traceOf(Collections.nCopies(32, List.of(1, 0)));
        int[] step = {0};
        TokenEngine npu = new TokenEngine() {
            @Override public float[] prefill(int[] prompt) {
                return decode(0);
            }

            @Override public float[] decode(int token) {
                return new float[] {0, step[0]++ == 7 ? 0.25f : 2};
            }

            @Override public void close() {}
        };
        assertEquals(0.25, GateRun.run(npu, List.of(PROMPT), List.of(Expected.tokens(reference)), new GateRules(2, 32), GenerationProgress.SILENT).prompts().getFirst().minimumMargin().getAsDouble());
    }

    @Test void the_first_of_the_other_sides_ids_has_rank_1() {
        TokenTrace reference = traceOf(Collections.nCopies(32, List.of(1, 2, 3, 4, 5)));
        StepCheck step = check(traceOf(Collections.nCopies(32, List.of(5, 1, 2, 3, 4))), reference).firstDivergence().orElseThrow();
        assertEquals(5, step.testRank().getAsInt());
        assertEquals(2, step.referenceRank().getAsInt());
        assertEquals(1, StepCheck.of(0, 1, 2, List.of(2, 1), List.of(1, 2), 5).testRank().getAsInt());
    }

    @Test void upstreams_rule_looks_at_the_first_difference_alone() {
        TokenTrace reference = traceOf(Collections.nCopies(32, List.of(1, 2, 3, 4, 5)));
        List<List<Integer>> late = new ArrayList<>(Collections.nCopies(32, List.of(1, 2, 3, 4, 5)));
        late.set(9, List.of(3, 1, 2, 4, 5));
        assertEquals(9, TopKRule.firstDivergence(traceOf(late), reference, 5).orElseThrow().step());
        assertTrue(TopKRule.firstDivergence(reference, reference, 5).isEmpty());
    }

    @Test void a_pass_cannot_be_made_without_prompts() {
        assertThrows(IllegalArgumentException.class, () -> GateResult.withoutComparison(Verdict.PASS, "", RULES));
    }

    private static TokenTrace traceOf(List<List<Integer>> topK) {
        return new TokenTrace(topK.stream().map(List::getFirst).toList(), topK);
    }

    private static TokenEngine spoiled(java.util.function.Consumer<float[]> spoil) {
        ToyEngine engine = new ToyEngine(3, 40, 0, 0);
        return new TokenEngine() {
            @Override public float[] prefill(int[] prompt) {
                return spoil(engine.prefill(prompt));
            }

            @Override public float[] decode(int token) {
                return spoil(engine.decode(token));
            }

            @Override public void close() {}

            private float[] spoil(float[] logits) {
                spoil.accept(logits);
                return logits;
            }
        };
    }
}
