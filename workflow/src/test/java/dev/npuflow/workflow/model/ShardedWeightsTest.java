package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardedWeightsTest {

    private static final byte[] ONE = {(byte) 0x80, 0x3f};
    private static final byte[] TWO = {0, 0x40};

    @TempDir Path directory;
    private ModelFolder folder;
    private SequencedMap<String, List<Long>> shapes;

    /// A file in which every tensor is filled with one element, given as its bytes.
    static byte[] whole(Map<String, List<Long>> shapes, String dtype, byte[] element) {
        StringBuilder header = new StringBuilder();
        long at = 0;
        for (var tensor : shapes.entrySet()) {
            long end = at + element.length * tensor.getValue().stream().reduce(1L, Math::multiplyExact);
            header.append(header.isEmpty() ? "{" : ",").append("\"%s\":{\"dtype\":\"%s\",\"shape\":%s,\"data_offsets\":[%d,%d]}".formatted(tensor.getKey(),
                    dtype, tensor.getValue(), at, end));
            at = end;
        }
        byte[] file = ModelFolder.safetensors(header + "}", (int) at);
        for (int i = file.length - (int) at; i < file.length; i++) {
            file[i] = element[(i - file.length + (int) at) % element.length];
        }
        return file;
    }

    @BeforeEach void two_shards() {
        folder = new ModelFolder(directory).config("{}");
        shapes = TensorShapes.of(folder.read().config());
        folder.file("one.safetensors", whole(part(true), "BF16", ONE)).file("two.safetensors", whole(part(false), "BF16", ONE));
        index(Map.of());
    }

    private Map<String, List<Long>> part(boolean attention) {
        Map<String, List<Long>> part = new TreeMap<>(shapes);
        part.keySet().removeIf(name -> name.contains("self_attn") != attention);
        return part;
    }

    private void index(Map<String, String> changes) {
        Map<String, String> files = new TreeMap<>();
        shapes.keySet().forEach(name -> files.put(name, name.contains("self_attn") ? "one.safetensors" : "two.safetensors"));
        files.putAll(changes);
        folder.file("model.safetensors.index.json", files.entrySet().stream().map(entry -> "\"%s\":\"%s\"".formatted(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(",", "{\"metadata\":{},\"weight_map\":{", "}}")));
    }

    private String refusal(String id) {
        NpuflowException refused = assertThrows(NpuflowException.class, () -> folder.open(directory.resolve("cache")).close());
        assertEquals(id, refused.id(), refused.getMessage());
        return refused.getMessage();
    }

    @Test void shards_make_one_model() {
        try (LanguageModel model = folder.open(directory.resolve("cache"))) {
            assertEquals(WeightOrigin.FILE, model.weightOrigin());
            assertEquals(64, model.weights().tensor("model.layers.0.self_attn.q_proj.weight").rows());
            assertEquals(32, model.weights().tensor(TensorShapes.EMBEDDING).rows());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"../one.safetensors", "/etc/passwd", "a/one.safetensors", "..", "one.bin", "", "one.safetensors\\u0000", "C:\\\\one.safetensors"})
    void a_file_name_that_leads_elsewhere_is_refused(String name) {
        index(Map.of(TensorShapes.FINAL_NORM, name));
        assertTrue(refusal("NPF-130").contains(TensorShapes.FINAL_NORM));
    }

    @Test void a_link_inside_the_directory_is_followed_as_the_hubs_cache_needs() throws IOException {
        Path blob = Files.createDirectories(directory.resolve("blobs")).resolve("0f3a");
        Files.move(directory.resolve("one.safetensors"), blob);
        Files.createSymbolicLink(directory.resolve("one.safetensors"), blob);
        folder.open(directory.resolve("cache")).close();
    }

    @Test void a_missing_shard_is_refused_by_name() throws IOException {
        Files.delete(directory.resolve("two.safetensors"));
        assertTrue(refusal("NPF-101").contains("two.safetensors"));
    }

    @Test void an_index_that_gives_a_tensor_to_the_wrong_shard_is_refused() {
        index(Map.of(TensorShapes.FINAL_NORM, "one.safetensors"));
        assertTrue(refusal("NPF-131").contains(TensorShapes.FINAL_NORM));
    }

    @Test void a_tensor_that_only_the_index_knows_is_refused() {
        index(Map.of("model.layers.1.mlp.up_proj.weight", "two.safetensors"));
        assertTrue(refusal("NPF-131").contains("model.layers.1.mlp.up_proj.weight"));
    }

    @Test void an_index_without_a_map_and_one_without_files_are_refused() {
        folder.file("model.safetensors.index.json", "{}");
        refusal("NPF-104");
        folder.file("model.safetensors.index.json", "{\"weight_map\":{}}");
        refusal("NPF-132");
    }

    @Test void a_tensor_that_belongs_to_nothing_is_refused_and_a_stored_frequency_table_is_not() {
        shapes = new TreeMap<>(shapes);
        shapes.put("model.layers.0.self_attn.rotary_emb.inv_freq", List.of(8L));
        index(Map.of());
        folder.file("one.safetensors", whole(part(true), "BF16", ONE));
        folder.open(directory.resolve("cache")).close();
        shapes.put("model.layers.0.self_attn.q_norm.weight", List.of(16L));
        index(Map.of());
        folder.file("one.safetensors", whole(part(true), "BF16", ONE));
        assertTrue(refusal("NPF-136").contains("q_norm.weight"));
    }

    @Test void quantized_tensors_are_refused_by_name_and_type() {
        folder.file("one.safetensors", whole(part(true), "I8", new byte[] {1}));
        assertTrue(refusal("NPF-137").contains("(I8): expected BF16, F32 or F16"));
    }

    @Test void weights_in_another_format_are_not_replaced_by_synthetic_ones() throws IOException {
        Files.delete(directory.resolve("model.safetensors.index.json"));
        assertTrue(refusal("NPF-133").contains("one.safetensors"));
    }

    private List<String> warnings() {
        try (LanguageModel model = folder.open(directory.resolve("cache"))) {
            assertEquals(model.warnings(), ModelInspection.of(directory).warnings());
            return model.warnings();
        }
    }

    @Test void a_single_file_beside_an_index_is_read_and_the_index_is_named() {
        assertEquals(List.of(), warnings());
        folder.file("model.safetensors", whole(shapes, "BF16", TWO));
        for (int shard = 1; shard <= 4; shard++) {
            folder.file("model-0000%d-of-00004.safetensors".formatted(shard), "");
        }
        try (LanguageModel model = folder.open(directory.resolve("cache"))) {
            assertEquals(0x4000, model.weights().tensor(TensorShapes.FINAL_NORM).data().get(ValueLayout.JAVA_SHORT_UNALIGNED, 0));
        }
        assertEquals(List.of("the weights are those of model.safetensors; model.safetensors.index.json, model-00001-of-00004.safetensors and 3 more"
                + " beside it are not read"), warnings());
    }

    @Test void an_index_of_the_single_file_itself_is_no_second_set() {
        folder.file("model.safetensors", whole(shapes, "BF16", ONE));
        folder.file("model.safetensors.index.json", "{\"weight_map\":{\"model.norm.weight\":\"model.safetensors\"}}");
        assertEquals(List.of(), warnings());
        folder.file("model.safetensors.index.json", "damaged");
        assertEquals(1, warnings().size());
    }

    @Test void a_shard_that_the_index_leaves_out_is_named() {
        folder.file("model-00002-of-00003.safetensors", "");
        assertEquals(List.of("the weights are those of model.safetensors.index.json; model-00002-of-00003.safetensors beside it is not read"), warnings());
    }

    @Test void shards_without_their_index_are_refused_with_its_name() throws IOException {
        Files.delete(directory.resolve("model.safetensors.index.json"));
        folder.file("model-00001-of-00002.safetensors", "");
        assertTrue(refusal("NPF-133").contains("try downloading model.safetensors.index.json"));
    }
}
