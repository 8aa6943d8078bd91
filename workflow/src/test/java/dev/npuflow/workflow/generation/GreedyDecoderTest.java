package dev.npuflow.workflow.generation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class GreedyDecoderTest {

    private static final int[] PROMPT = {3, 1};

    /// Counts upwards from its last token, modulo 8: 1 → 2 → 3 …
    private static final class Counter implements TokenEngine {

        private final List<Integer> fed = new ArrayList<>();

        @Override public float[] prefill(int[] prompt) {
            return decode(prompt[prompt.length - 1]);
        }

        @Override public float[] decode(int token) {
            fed.add(token);
            float[] logits = new float[8];
            logits[(token + 1) % 8] = 1;
            return logits;
        }

        @Override public void close() {}
    }

    private static GenerationLimits limits(int tokens, Integer... eos) {
        return new GenerationLimits(tokens, List.of(eos), 5, true);
    }

    @Test void stops_after_an_eos_which_it_includes() {
        Generation made = GreedyDecoder.generate(new Counter(), PROMPT, limits(10, 4, 6), id -> {});
        assertEquals(List.of(2, 3, 4), made.ids());
        assertTrue(made.endedAtEos());
    }

    @Test void does_not_stop_at_an_eos_that_is_ignored() {
        Generation made = GreedyDecoder.generate(new Counter(), PROMPT, limits(10), id -> {});
        assertEquals(List.of(2, 3, 4, 5, 6, 7, 0, 1, 2, 3), made.ids());
        assertFalse(made.endedAtEos());
    }

    @Test void feeds_each_token_once_and_never_the_last() {
        Counter engine = new Counter();
        List<Integer> told = new ArrayList<>();
        Generation made = GreedyDecoder.generate(engine, PROMPT, limits(4), told::add);
        assertEquals(List.of(1, 2, 3, 4), engine.fed);
        assertEquals(made.ids(), told);
    }

    @Test void keeps_the_best_ids_and_the_logits_of_every_step() {
        Generation made = GreedyDecoder.generate(new Counter(), PROMPT, limits(2), id -> {});
        assertEquals(List.of(List.of(2, 0, 1, 3, 4), List.of(3, 0, 1, 2, 4)), made.topK());
        assertArrayEquals(new float[] {0, 0, 0, 1, 0, 0, 0, 0}, made.logits().get(1));
    }

    @Test void keeps_no_logits_unasked() {
        assertEquals(List.of(), GreedyDecoder.generate(new Counter(), PROMPT, new GenerationLimits(2, List.of(), 1, false), id -> {}).logits());
    }

    @Test void a_trace_has_its_full_length() {
        TokenTrace trace = GreedyDecoder.trace(new Counter(), PROMPT, 32, 5);
        assertEquals(32, trace.chosen().size());
        assertEquals(32, trace.topK().size());
    }

    @Test void an_empty_prompt_no_tokens_and_dead_logits_are_refused() {
        assertEquals("NPF-503", refused(() -> GreedyDecoder.trace(new Counter(), new int[0], 1, 1)));
        assertEquals("NPF-502", refused(() -> limits(0)));
        assertEquals("NPF-504", refused(() -> GreedyDecoder.trace(new ToyEngine(1, 8, Double.NaN, 1), PROMPT, 1, 1)));
    }

    private static String refused(Runnable action) {
        return assertThrows(NpuflowException.class, action::run).id();
    }
}
