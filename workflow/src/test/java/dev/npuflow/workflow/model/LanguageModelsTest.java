package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LanguageModelsTest {

    @TempDir Path cache;

    private LanguageModel open(String variant) {
        return LanguageModels.open(Cases.folder(variant), OpenOptions.cachingIn(cache));
    }

    private String refusal(String variant) {
        NpuflowException refused = assertThrows(NpuflowException.class, () -> open(variant));
        assertTrue(refused.getMessage().lines().count() == 1, refused.getMessage());
        return refused.getMessage();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a06/tied_head_absent", "a06/tied_head_present_identical"})
    void a_tied_head_is_the_embedding_without_a_warning(String variant) {
        try (LanguageModel model = open(variant)) {
            assertTrue(model.config().tiedHead());
            assertEquals(model.weights().tensor(TensorShapes.EMBEDDING).data(), model.weights().tensor(TensorShapes.HEAD).data());
            assertEquals(List.of(), model.warnings());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"a06/untied_head_present", "a06/key_missing_head_present"})
    void an_untied_head_is_not_the_embedding(String variant) {
        try (LanguageModel model = open(variant)) {
            assertTrue(!model.config().tiedHead());
            assertTrue(model.weights().tensor(TensorShapes.EMBEDDING).data().mismatch(model.weights().tensor(TensorShapes.HEAD).data()) >= 0);
        }
    }

    @Test void a_stored_head_that_differs_although_tied_is_warned_of() {
        try (LanguageModel model = open("a06/tied_head_present_different")) {
            assertEquals(1, model.warnings().size());
            assertTrue(model.warnings().getFirst().contains("lm_head.weight"));
            assertEquals(-1, model.weights().tensor(TensorShapes.EMBEDDING).data().mismatch(model.weights().tensor(TensorShapes.HEAD).data()));
        }
    }

    @Test void a_missing_untied_head_is_refused_by_name() {
        assertTrue(refusal("a06/untied_head_absent").contains("lm_head.weight"));
        assertTrue(Cases.expected("e04").get("flat_untied_no_head").get("must").asString().contains("lm_head.weight"));
        assertTrue(refusal("e04/flat_untied_no_head").contains("tensor lm_head.weight is missing"));
    }

    @ParameterizedTest
    @CsvSource({"a07/explicit_32,32,128", "a07/null_means_derived,16,64"})
    void head_dim_is_what_the_configuration_says_and_derived_where_it_is_null(String variant, int headDim, int queryRows) {
        try (LanguageModel model = open(variant)) {
            assertEquals(headDim, model.config().headDim());
            assertEquals(queryRows, model.weights().tensor("model.layers.0.self_attn.q_proj.weight").rows());
            assertEquals(queryRows, model.weights().tensor("model.layers.0.self_attn.o_proj.weight").columns());
        }
    }

    @Test void a_shape_that_contradicts_the_configuration_is_refused_with_both_shapes() {
        String message = refusal("a07/contradicts_tensors");
        assertTrue(message.contains("shape of tensor model.layers.0.self_attn.q_proj.weight ([128, 64])"), message);
        assertTrue(message.contains("expected [64, 64]"), message);
    }

    @Test void a_vocabulary_that_the_tensors_contradict_is_refused() {
        assertTrue(refusal("a20/config_disagrees").contains("shape of tensor model.embed_tokens.weight ([40, 64])"));
    }

    @Test void a_padded_vocabulary_keeps_the_heads_rows_and_decodes_the_padding_to_nothing() {
        try (LanguageModel model = open("a20/padded")) {
            assertEquals(40, model.weights().tensor(TensorShapes.HEAD).rows());
            assertEquals("mv rrr", model.tokenizer().orElseThrow().decode(new int[] {15, 35, 24, 29, 35, 20, 20, 20}));
        }
    }

    @ParameterizedTest
    @CsvSource({"list_in_generation_config,1 2 9", "list_in_config_only,1 9", "single_in_both,1", "generation_overrides_config,1", "null_in_generation,9"})
    void eos_ids_come_from_the_generation_configuration_where_it_sets_them(String variant, String ids) {
        try (LanguageModel model = open("a16/" + variant)) {
            assertEquals(List.of(ids.split(" ")), model.config().eosTokenIds().stream().map(String::valueOf).toList());
        }
    }

    @Test void qwen3_has_its_head_norms() {
        try (LanguageModel model = open("a18/qwen3")) {
            assertTrue(model.config().block().normsHeads());
            assertEquals(16, model.weights().tensor("model.layers.1.self_attn.k_norm.weight").columns());
        }
    }

    @Test void text_and_ids_are_what_the_case_says() {
        try (LanguageModel model = open("a01/tiny")) {
            Tokenizer tokenizer = model.tokenizer().orElseThrow();
            assertArrayEquals(new int[] {3, 10, 5, 22, 14, 3, 9}, tokenizer.encode("ahctlag"));
            assertEquals("ahctlag", tokenizer.decode(new int[] {3, 10, 5, 22, 14, 3, 9}));
        }
    }

    @Test void two_models_have_two_fingerprints_and_one_model_has_one() {
        try (LanguageModel tied = open("a06/tied_head_absent"); LanguageModel again = open("a06/tied_head_absent");
                LanguageModel other = open("a06/untied_head_present")) {
            assertEquals(tied.fingerprint(), again.fingerprint());
            assertTrue(!tied.fingerprint().equals(other.fingerprint()));
            assertEquals(64, tied.fingerprint().length());
        }
    }
}
