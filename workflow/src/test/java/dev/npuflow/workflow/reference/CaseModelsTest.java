package dev.npuflow.workflow.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.generation.GenerationLimits;
import dev.npuflow.workflow.generation.GreedyDecoder;
import dev.npuflow.workflow.model.Cases;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.LanguageModels;
import dev.npuflow.workflow.model.OpenOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// Small models with values from two programs that are not ours: float64, and a bf16 pipeline rounded where Hugging Face rounds.
class CaseModelsTest {

    private static final int[] USUAL_PROMPT = {3, 10, 5, 22, 14, 3, 9};

    @TempDir Path cache;

    @ParameterizedTest @CsvSource({"a01,tiny", "a06,tied_head_absent", "a06,tied_head_present_identical", "a06,untied_head_present",
        "a06,key_missing_head_present", "a07,explicit_32", "a07,null_means_derived", "a18,qwen3", "a20,padded",
        "e04,flat_tied", "attention_bias,llama", "attention_bias,qwen3", "olmo2,tiny", "e02,mistral_kv_key_absent", "e05,prompt_beyond_original"})
    void greedy_ids_are_as_recorded(String id, String variant) {
        JsonNode right = Cases.expected(id).get(variant);
        int[] prompt = right.has("prompt_ids") ? Recorded.ints(right.get("prompt_ids")) : USUAL_PROMPT;
        try (LanguageModel model = Models.ofCase(id + "/" + variant, cache); ReferenceEngine engine = engine(model)) {
            List<Integer> ids = GreedyDecoder.trace(engine, prompt, 8, 5).chosen();
            assertEquals(Arrays.stream(Recorded.ints(right.get("greedy_ids"))).boxed().toList(), ids);
        }
    }

    @ParameterizedTest @CsvSource({"a01,tiny", "a06,tied_head_absent", "a06,untied_head_present", "a07,explicit_32", "a07,null_means_derived", "a18,qwen3",
        "e04,flat_tied", "attention_bias,llama", "attention_bias,qwen3", "olmo2,tiny", "e02,mistral_kv_key_absent", "e05,prompt_beyond_original"})
    void first_logits_are_the_recorded_ones_of_a_bf16_pipeline(String id, String variant) {
        JsonNode right = Cases.expected(id).get(variant);
        float[] pipeline = Recorded.floats(right.get("first_step_logits_bf16_pipeline"));
        float[] exact = Recorded.floats(right.get("first_step_logits_f64"));
        double allowed = 2 * right.get("max_abs_bf16_minus_f64").asDouble();
        try (LanguageModel model = Models.ofCase(id + "/" + variant, cache); ReferenceEngine engine = engine(model)) {
            float[] logits = engine.prefill(Recorded.ints(right.get("prompt_ids")));
            for (int i = 0; i < logits.length; i++) {
                assertEquals(Bfloat16.round(pipeline[i]), logits[i], "id " + i);
                assertEquals(exact[i], logits[i], allowed, "id " + i);
            }
        }
    }

    /// The yardstick of the gate's third rule: what bf16 costs must not be hidden by what fp32 costs.
    @ParameterizedTest @CsvSource({"a01,tiny", "a06,tied_head_absent", "a06,untied_head_present", "a07,explicit_32", "a07,null_means_derived", "a18,qwen3",
        "e04,flat_tied", "attention_bias,llama", "attention_bias,qwen3", "olmo2,tiny", "e02,mistral_kv_key_absent", "e05,prompt_beyond_original"})
    void the_unrounded_engine_gives_the_first_logits_of_a_float64_run(String id, String variant) {
        JsonNode right = Cases.expected(id).get(variant);
        float[] exact = Recorded.floats(right.get("first_step_logits_f64"));
        double roundings = right.get("max_abs_bf16_minus_f64").asDouble();
        try (LanguageModel model = Models.ofCase(id + "/" + variant, cache);
                ReferenceEngine engine = ReferenceEngine.unrounded(model, ReferenceOptions.defaults(line -> { }))) {
            float[] logits = engine.prefill(Recorded.ints(right.get("prompt_ids")));
            for (int i = 0; i < logits.length; i++) {
                assertEquals(exact[i], logits[i], roundings / 500, "id " + i);
            }
        }
    }

    @Test void the_generation_configuration_ends_a_run_that_would_go_on() {
        JsonNode right = Cases.expected("e10");
        int[] prompt = Recorded.ints(right.get("whole").get("prompt_ids"));
        List<Integer> free = Arrays.stream(Recorded.ints(right.get("free_run"))).boxed().toList();
        try (LanguageModel model = Models.ofCase("e10/whole", cache); ReferenceEngine engine = engine(model)) {
            assertEquals(Arrays.stream(Recorded.ints(right.get("whole").get("greedy_ids"))).boxed().toList(),
                    GreedyDecoder.generate(engine, prompt, new GenerationLimits(free.size(), model.config().eosTokenIds(), 1, false), _ -> { }).ids());
            assertEquals(free, GreedyDecoder.generate(engine, prompt, new GenerationLimits(free.size(), List.of(), 1, false), _ -> { }).ids());
        }
    }

    @Test void query_and_key_norms_are_neither_skipped_nor_applied_after_rope() {
        JsonNode right = Cases.expected("a18").get("qwen3");
        try (LanguageModel model = Models.ofCase("a18/qwen3", cache); ReferenceEngine engine = engine(model)) {
            List<Integer> ids = GreedyDecoder.trace(engine, USUAL_PROMPT, 8, 5).chosen();
            assertNotEquals(Arrays.stream(Recorded.ints(right.get("greedy_if_norms_skipped"))).boxed().toList(), ids);
            assertNotEquals(Arrays.stream(Recorded.ints(right.get("greedy_if_norm_after_rope"))).boxed().toList(), ids);
        }
    }

    @Test void the_best_five_of_every_step_are_those_of_a_float64_run() {
        JsonNode right = Cases.expected("olmo2").get("tiny");
        try (LanguageModel model = Models.ofCase("olmo2/tiny", cache); ReferenceEngine engine = engine(model)) {
            List<List<Integer>> topK = GreedyDecoder.trace(engine, USUAL_PROMPT, 8, 5).topK();
            assertEquals(right.get("top5_ids").valueStream().map(step -> Arrays.stream(Recorded.ints(step)).boxed().toList()).toList(), topK);
        }
    }

    /// A norm before what it should follow, of the sum, by head, behind RoPE, or none: each gives other ids.
    @Test void no_norm_of_olmo2_is_where_another_family_has_it() {
        JsonNode right = Cases.expected("olmo2").get("tiny");
        List<String> mistakes = right.propertyStream().map(Map.Entry::getKey).filter(name -> name.startsWith("greedy_if_")).toList();
        assertEquals(6, mistakes.size());
        try (LanguageModel model = Models.ofCase("olmo2/tiny", cache); ReferenceEngine engine = engine(model)) {
            List<Integer> ids = GreedyDecoder.trace(engine, USUAL_PROMPT, 8, 5).chosen();
            mistakes.forEach(mistake -> assertNotEquals(Arrays.stream(Recorded.ints(right.get(mistake))).boxed().toList(), ids, mistake));
        }
    }

    @Test void olmo2_is_not_rounded_as_llama_is() {
        float[] asLlama = Recorded.floats(Cases.expected("olmo2").get("tiny").get("first_step_logits_bf16_pipeline_if_rounded_as_llama"));
        try (LanguageModel model = Models.ofCase("olmo2/tiny", cache); ReferenceEngine engine = engine(model)) {
            float[] logits = engine.prefill(USUAL_PROMPT);
            assertEquals(26, IntStream.range(0, logits.length).filter(i -> Bfloat16.round(asLlama[i]) != logits[i]).count());
        }
    }

    @ParameterizedTest @ValueSource(strings = {"llama", "qwen3"}) void neither_the_bias_on_q_nor_the_one_on_o_is_skipped(String variant) {
        JsonNode right = Cases.expected("attention_bias").get(variant);
        try (LanguageModel model = Models.ofCase("attention_bias/" + variant, cache); ReferenceEngine engine = engine(model)) {
            List<Integer> ids = GreedyDecoder.trace(engine, USUAL_PROMPT, 8, 5).chosen();
            assertNotEquals(Arrays.stream(Recorded.ints(right.get("greedy_if_output_bias_skipped"))).boxed().toList(), ids);
            assertNotEquals(Arrays.stream(Recorded.ints(right.get("greedy_if_query_bias_skipped"))).boxed().toList(), ids);
        }
    }

    @ParameterizedTest @ValueSource(ints = {32, 39})
    void an_id_behind_the_tokenizers_is_read_like_any_other(int padded) {
        try (LanguageModel model = Models.ofCase("a20/padded", cache); ReferenceEngine engine = engine(model)) {
            assertEquals(40, engine.prefill(new int[] {3, padded}).length);
        }
    }

    /// e21: what a Mistral with a window of 4 would give if it were run as the Llama that `architectures` says. It is refused instead.
    @Test void the_class_that_model_type_names_is_not_run_as_another(@TempDir Path llama) throws IOException {
        JsonNode right = Cases.expected("e21").get("llama_class_mistral_type");
        Path mistral = Cases.folder("e21/llama_class_mistral_type");
        Files.copy(mistral.resolve("model.safetensors"), llama.resolve("model.safetensors"));
        Files.writeString(llama.resolve("config.json"), Files.readString(mistral.resolve("config.json")).replace("\"mistral\"", "\"llama\""));
        try (LanguageModel model = LanguageModels.open(llama, OpenOptions.cachingIn(cache)); ReferenceEngine engine = engine(model)) {
            List<Integer> ids = GreedyDecoder.trace(engine, Recorded.ints(right.get("prompt_ids")), 8, 5).chosen();
            assertEquals(Arrays.stream(Recorded.ints(right.get("without_window"))).boxed().toList(), ids);
            assertNotEquals(Arrays.stream(Recorded.ints(right.get("with_window"))).boxed().toList(), ids);
        }
        assertEquals("NPF-110", assertThrows(NpuflowException.class, () -> LanguageModels.open(mistral, OpenOptions.cachingIn(cache))).id());
    }

    private static ReferenceEngine engine(LanguageModel model) {
        return new ReferenceEngine(model, ReferenceOptions.defaults(line -> { }));
    }
}
