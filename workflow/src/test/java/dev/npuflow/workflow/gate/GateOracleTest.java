package dev.npuflow.workflow.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.generation.GenerationProgress;
import dev.npuflow.workflow.generation.GreedyDecoder;
import dev.npuflow.workflow.generation.TokenTrace;
import dev.npuflow.workflow.generation.ToyEngine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GateOracleTest {

    private static final GateRules RULES = GateRules.UPSTREAM;

    @Test void agrees_with_the_document_on_random_token_sets() {
        Random random = new Random(2);
        int[] outcomes = new int[3];
        for (int round = 0; round < 3000; round++) {
            TokenTrace reference = randomTrace(random);
            TokenTrace npu = disturbed(reference, random);
            PromptCheck check = Gate.check(0, List.of(1), npu, reference, RULES, List.of(), OptionalDouble.empty(), Optional.empty());
            UpstreamOracle expected = UpstreamOracle.judge(npu, reference, RULES.k());
            assertSame(expected, check);
            assertEquals(UpstreamOracle.everyStep(npu, reference, RULES.k()), check.everyStepPassed());
            outcomes[expected.divergenceStep() == null ? 0 : expected.ok() ? 1 : 2]++;
        }
        assertTrue(IntStream.of(outcomes).allMatch(count -> count > 100), "every outcome occurs often");
    }

    @Test void one_run_fed_the_references_tokens_gives_upstreams_answer_of_two_independent_runs() {
        int[] outcomes = new int[3];
        for (int seed = 0; seed < 400; seed++) {
            int[] prompt = {seed % 40, 5, 7};
            double noise = seed % 8 * 0.03;
            TokenTrace reference = GreedyDecoder.trace(new ToyEngine(seed, 40, 0, 0), prompt, 32, 5);
            TokenTrace independent = GreedyDecoder.trace(new ToyEngine(seed, 40, noise, 9), prompt, 32, 5);
            UpstreamOracle expected = UpstreamOracle.judge(independent, reference, 5);

            GateResult result = GateRun.run(new ToyEngine(seed, 40, noise, 9), List.of(prompt), List.of(Expected.tokens(reference)), RULES, GenerationProgress.SILENT);

            PromptCheck check = result.prompts().getFirst();
            assertSame(expected, check);
            int own = expected.divergenceStep() == null ? 32 : expected.divergenceStep() + 1;
            assertEquals(independent.chosen().subList(0, own), check.npu().chosen().subList(0, own));
            assertEquals(UpstreamOracle.everyStep(check.npu(), reference, 5), check.everyStepPassed());
            assertEquals(check.everyStepPassed() ? Verdict.PASS : Verdict.GATE_FAIL, result.verdict());
            outcomes[expected.divergenceStep() == null ? 0 : check.everyStepPassed() ? 1 : 2]++;
        }
        assertTrue(IntStream.of(outcomes).allMatch(count -> count > 10), "every outcome occurs");
    }

    private static void assertSame(UpstreamOracle expected, PromptCheck check) {
        assertEquals(expected.ok(), check.upstreamPassed());
        assertEquals(Optional.ofNullable(expected.divergenceStep()), check.firstDivergence().map(StepCheck::step));
        assertEquals(expected.reason(), check.upstreamReason().orElse(""));
        check.firstDivergence().ifPresent(step -> {
            assertEquals(expected.rankA(), boxed(step.testRank()));
            assertEquals(expected.rankB(), boxed(step.referenceRank()));
        });
    }

    private static Integer boxed(OptionalInt value) {
        return value.isPresent() ? value.getAsInt() : null;
    }

    /// 32 steps of 5 different ids out of 12, the first of them chosen.
    private static TokenTrace randomTrace(Random random) {
        List<List<Integer>> topK = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            List<Integer> ids = new ArrayList<>(IntStream.range(0, 12).boxed().toList());
            Collections.shuffle(ids, random);
            topK.add(ids.subList(0, 5));
        }
        return new TokenTrace(topK.stream().map(List::getFirst).toList(), topK);
    }

    /// The same with some steps re-drawn and some re-ordered.
    private static TokenTrace disturbed(TokenTrace trace, Random random) {
        List<List<Integer>> other = randomTrace(random).topK();
        int share = random.nextInt(30);
        List<List<Integer>> topK = IntStream.range(0, 32).mapToObj(i -> {
            List<Integer> ids = new ArrayList<>(trace.topK().get(i));
            int draw = random.nextInt(100);
            if (draw < share) {
                Collections.swap(ids, 0, 1 + random.nextInt(4));
            } else if (draw > 97 - share / 10) {
                ids = other.get(i);
            }
            return ids;
        }).toList();
        return new TokenTrace(topK.stream().map(List::getFirst).toList(), topK);
    }
}
