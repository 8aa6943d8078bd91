package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TensorNamesTest {

    private static final byte[] ONE = {(byte) 0x80, 0x3f};

    @TempDir Path directory;
    private ModelFolder folder;
    private SequencedMap<String, List<Long>> shapes;

    @BeforeEach void small_model() {
        folder = new ModelFolder(directory).config("{}");
        shapes = TensorShapes.of(folder.read().config());
    }

    private void write(UnaryOperator<String> spelling) {
        Map<String, List<Long>> stored = new TreeMap<>();
        shapes.forEach((name, shape) -> stored.put(spelling.apply(name), shape));
        folder.file("model.safetensors", ShardedWeightsTest.whole(stored, "BF16", ONE));
    }

    private LanguageModel open() {
        return folder.open(directory.resolve("cache"));
    }

    private String refusal(String id) {
        NpuflowException refused = assertThrows(NpuflowException.class, () -> open().close());
        assertEquals(id, refused.id(), refused.getMessage());
        return refused.getMessage();
    }

    @Test void names_of_a_bare_base_model_are_read_as_if_they_had_the_prefix() {
        write(name -> name.substring("model.".length()));
        try (LanguageModel model = open()) {
            assertEquals(List.of(), model.warnings());
            assertEquals(32, model.weights().tensor(TensorShapes.HEAD).rows());
            assertEquals("model.layers.0.mlp.up_proj.weight", model.weights().tensor("model.layers.0.mlp.up_proj.weight").name());
        }
    }

    @Test void a_fault_names_a_tensor_as_the_file_spells_it() {
        shapes = new TreeMap<>(shapes);
        shapes.remove("model.layers.0.mlp.up_proj.weight");
        write(name -> name.substring("model.".length()));
        assertTrue(refusal("NPF-134").contains("tensor layers.0.mlp.up_proj.weight is missing"));
    }

    @Test void a_head_without_a_prefix_stands_beside_both_spellings() {
        folder.config("{\"tie_word_embeddings\": false}");
        shapes = TensorShapes.of(folder.read().config());
        write(name -> name.replaceFirst("^model\\.", ""));
        open().close();
        write(name -> name);
        open().close();
    }

    @Test void names_with_and_without_the_prefix_are_refused() {
        write(name -> name.contains("mlp") ? name.substring("model.".length()) : name);
        String told = refusal("NPF-139");
        assertTrue(told.contains("model.embed_tokens.weight") && told.contains(" layers.0.mlp.down_proj.weight"), told);
    }

    @ParameterizedTest
    @CsvSource({"language_model.model., text-only", "model.language_model., text-only", "base_model.model.model., merge_and_unload",
        "_orig_mod.model., torch.compile", "module.model., data-parallel", "transformer., saving the model inside transformer. alone"})
    void another_prefix_is_refused_with_what_it_comes_from(String prefix, String remedy) {
        write(name -> prefix + name.substring("model.".length()));
        String told = refusal("NPF-140");
        assertTrue(told.contains("tensor names begin with " + prefix + " (") && told.substring(told.indexOf("; try ")).contains(remedy), told);
    }

    @ParameterizedTest @ValueSource(strings = {"transformer.h.0.attn.c_attn.weight", "layers.0.attention.wq.weight"})
    void names_of_another_architecture_are_refused_with_what_they_should_look_like(String name) {
        folder.file("model.safetensors", ShardedWeightsTest.whole(Map.of(name, List.of(1L), "norm.weight", List.of(64L)), "BF16", ONE));
        String told = refusal("NPF-140");
        assertTrue(told.contains("names such as model.layers.0.input_layernorm.weight"), told);
    }
}
