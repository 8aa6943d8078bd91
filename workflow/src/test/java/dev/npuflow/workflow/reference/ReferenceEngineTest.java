package dev.npuflow.workflow.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.block.Value;
import dev.npuflow.workflow.model.LanguageModel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReferenceEngineTest {

    /// Longer than 64, so that sums over positions fill all partial sums and start again.
    private static final int[] PROMPT = Recorded.ints(Recorded.json("tiny_kjv_golden.json").at("/0/prompt_ids"));
    private static final int[] LONG_PROMPT = repeat(PROMPT, 70);

    private LanguageModel model;
    private float[] expected;

    @BeforeAll void open(@TempDir Path cache) {
        model = Models.tinyKjv(cache);
        try (ReferenceEngine engine = engine(1, new ScalarDotProduct())) {
            expected = engine.prefill(LONG_PROMPT);
        }
    }

    @AfterAll void close() {
        model.close();
    }

    @Test void a_prompt_read_at_once_equals_the_prompt_read_token_by_token() {
        try (ReferenceEngine engine = engine(2, new Vector512DotProduct())) {
            float[] logits = engine.prefill(new int[] {LONG_PROMPT[0]});
            for (int i = 1; i < LONG_PROMPT.length; i++) {
                logits = engine.decode(LONG_PROMPT[i]);
            }
            assertArrayEquals(expected, logits);
        }
    }

    @Test void vectors_and_threads_change_no_bit() {
        for (DotProduct provider : List.of(new Vector256DotProduct(), new Vector512DotProduct())) {
            for (int threads : new int[] {1, 3}) {
                try (ReferenceEngine engine = engine(threads, provider)) {
                    assertArrayEquals(expected, engine.prefill(LONG_PROMPT), provider.name() + " on " + threads);
                }
            }
        }
    }

    @Test void a_new_prompt_forgets_the_one_before() {
        try (ReferenceEngine engine = engine(1, new Vector512DotProduct())) {
            float[] fresh = engine.prefill(PROMPT);
            engine.decode(7);
            engine.prefill(LONG_PROMPT);
            assertArrayEquals(fresh, engine.prefill(PROMPT));
        }
    }

    @Test void the_observer_sees_every_operator_of_every_layer_in_order() {
        assertSeen(model, "normed q k v q_roped k_roped attention o residual normed_ffn gate up swiglu down x");
    }

    @Test void the_observer_sees_normed_heads_where_there_are_any(@TempDir Path cache) {
        try (LanguageModel qwen3 = Models.ofCase("a18/qwen3", cache)) {
            assertSeen(qwen3, "normed q k v q_normed k_normed q_roped k_roped attention o residual normed_ffn gate up swiglu down x");
        }
    }

    @Test void the_observer_sees_projections_without_and_with_their_bias(@TempDir Path cache) {
        try (LanguageModel biased = Models.ofCase("attention_bias/qwen3", cache)) {
            assertSeen(biased, "normed q q_biased k k_biased v_unbiased v q_normed k_normed q_roped k_roped attention o_unbiased o residual normed_ffn gate"
                    + " up swiglu down x");
        }
    }

    private static void assertSeen(LanguageModel model, String layerValues) {
        List<String> seen = new ArrayList<>();
        ReferenceOptions options = ReferenceOptions.defaults(line -> { })
                .withObserver((layer, value, first, width, values) -> seen.add(layer + " " + value.name() + " " + first + " " + values.length / width));
        try (ReferenceEngine engine = new ReferenceEngine(model, options)) {
            engine.prefill(new int[] {1, 2, 3});
        }
        List<String> wanted = new ArrayList<>(List.of("-1 x 0 3"));
        for (int layer = 0; layer < model.config().layers(); layer++) {
            for (String value : layerValues.split(" ")) {
                wanted.add(layer + " " + value + " 0 3");
            }
        }
        wanted.addAll(List.of("-1 x_final 2 1", "-1 logits 2 1"));
        assertEquals(wanted, seen);
    }

    @Test void every_value_is_a_bf16_value() {
        Set<Value> wrong = new LinkedHashSet<>();
        ReferenceOptions options = ReferenceOptions.defaults(line -> { }).withObserver((layer, made, first, width, values) -> {
            for (float value : values) {
                if (Bfloat16.round(value) != value) {
                    wrong.add(made);
                }
            }
        });
        try (ReferenceEngine engine = new ReferenceEngine(model, options)) {
            engine.prefill(PROMPT);
        }
        assertEquals(Set.of(), wrong);
    }

    @Test void refuses_prompts_the_model_cannot_read() {
        try (ReferenceEngine engine = engine(1, new Vector512DotProduct())) {
            assertEquals("NPF-503", assertThrows(NpuflowException.class, () -> engine.prefill(new int[0])).id());
            assertEquals("NPF-154", assertThrows(NpuflowException.class, () -> engine.prefill(new int[] {1, 1024})).id());
            assertEquals("NPF-154", assertThrows(NpuflowException.class, () -> engine.prefill(new int[] {-1})).id());
            assertEquals("NPF-163", assertThrows(NpuflowException.class, () -> engine.prefill(new int[513])).id());
        }
    }

    @Test void reads_up_to_the_last_position_and_not_beyond() {
        try (ReferenceEngine engine = engine(2, new Vector512DotProduct())) {
            engine.prefill(new int[511]);
            engine.decode(1);
            assertEquals("NPF-163", assertThrows(NpuflowException.class, () -> engine.decode(1)).id());
        }
    }

    @Test void says_once_that_arithmetic_is_slow_and_nothing_otherwise() {
        List<String> told = new ArrayList<>();
        new ReferenceEngine(model, ReferenceOptions.defaults(told::add), DotProducts.choose(false), Precision.BF16).close();
        assertEquals(1, told.size());
        assertFalse(told.getFirst().contains("\n"));
        new ReferenceEngine(model, ReferenceOptions.defaults(told::add), new DotProducts(new Vector512DotProduct(), Optional.empty()), Precision.BF16).close();
        assertEquals(1, told.size());
    }

    private ReferenceEngine engine(int threads, DotProduct provider) {
        ReferenceOptions options = ReferenceOptions.defaults(line -> { }).withThreads(threads);
        return new ReferenceEngine(model, options, new DotProducts(provider, Optional.empty()), Precision.BF16);
    }

    private static int[] repeat(int[] ids, int length) {
        int[] all = new int[length];
        Arrays.setAll(all, i -> ids[i % ids.length]);
        return all;
    }
}
