package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SyntheticWeightsTest {

    private static final String UP = "model.layers.0.mlp.up_proj.weight";

    @TempDir Path directory;
    @TempDir Path cache;
    private ModelFolder folder;

    @BeforeEach void a_directory_without_weights() {
        folder = new ModelFolder(directory).config("{}");
    }

    private OpenOptions options() {
        return OpenOptions.cachingIn(cache);
    }

    private LanguageModel open(OpenOptions options) {
        return LanguageModels.open(directory, options);
    }

    private List<String> cached() throws IOException {
        try (Stream<Path> files = Files.list(cache.resolve("weights"))) {
            return files.map(file -> file.getFileName().toString()).filter(name -> !name.equals("lock")).sorted().toList();
        }
    }

    private static float[] values(LanguageModel model, String name) {
        short[] bits = model.weights().tensor(name).data().toArray(ValueLayout.JAVA_SHORT_UNALIGNED);
        float[] values = new float[bits.length];
        for (int i = 0; i < bits.length; i++) {
            values[i] = Float.intBitsToFloat(bits[i] << 16);
        }
        return values;
    }

    @Test void matrices_are_normal_with_sigma_0_02_and_norms_are_1() {
        try (LanguageModel model = open(options())) {
            float[] up = values(model, UP);
            double mean = 0;
            double square = 0;
            for (float value : up) {
                mean += value / up.length;
                square += value * value / up.length;
            }
            assertEquals(64 * 64, up.length);
            assertEquals(0, mean, 4 * 0.02 / 64, "four standard errors");
            assertEquals(0.0004, square, 4 * 0.0004 * Math.sqrt(2) / 64);
            for (float one : values(model, "model.layers.0.input_layernorm.weight")) {
                assertEquals(1, one);
            }
        }
    }

    /// Quantiles of the standard normal distribution from Python's statistics.NormalDist (Wichura's AS241, another algorithm).
    @ParameterizedTest
    @CsvSource({"0.5,0", "0.975,1.9599639845400536", "0.99,2.3263478740408408", "0.001,-3.090232306167813", "7.62939453125e-06,-4.324919040826044"})
    void the_table_is_the_normal_distributions(double share, double expected) {
        assertEquals(expected, NormalTable.quantile(share), 2e-9 * Math.abs(expected));
    }

    /// Computed in Python from the recipe alone: SHA-256 of the name, splitmix64 (checked against its author's first output), NormalDist.
    @Test void elements_are_what_the_recipe_says_on_every_machine() {
        try (LanguageModel model = open(options())) {
            short[] bits = model.weights().tensor(UP).data().toArray(ValueLayout.JAVA_SHORT_UNALIGNED);
            List<String> found = Stream.of(0, 1, 2, 3, 4, 4095).map(i -> HexFormat.of().toHexDigits(bits[i])).toList();
            assertEquals(List.of("bc10", "bc33", "3bc8", "3c77", "3b3b", "3c5a"), found);
        }
    }

    @Test void an_element_depends_on_name_and_index_alone() {
        try (LanguageModel model = open(options())) {
            float[] up = values(model, UP);
            float[] gate = values(model, "model.layers.0.mlp.gate_proj.weight");
            assertNotEquals(up[0], gate[0]);
            folder.config("{\"num_hidden_layers\": 2, \"intermediate_size\": 128}");
            try (LanguageModel deeper = open(options())) {
                float[] larger = values(deeper, UP);
                assertEquals(128 * 64, larger.length);
                for (int i = 0; i < up.length; i++) {
                    assertEquals(up[i], larger[i]);
                }
            }
        }
    }

    @Test void the_set_is_made_once_and_said_to_be_synthetic() throws IOException {
        String fingerprint;
        try (LanguageModel model = open(options())) {
            assertEquals(WeightOrigin.SYNTHETIC, model.weightOrigin());
            assertTrue(model.warnings().getFirst().contains("synthetic"));
            assertEquals(1, model.warnings().size());
            fingerprint = model.fingerprint();
        }
        Path file = cache.resolve("weights").resolve(cached().getFirst());
        Object inode = Files.getAttribute(file, "unix:ino");
        try (LanguageModel again = open(options())) {
            assertEquals(fingerprint, again.fingerprint());
        }
        assertEquals(inode, Files.getAttribute(file, "unix:ino"));
    }

    @Test void without_room_in_the_cache_the_same_set_lives_in_memory_and_that_is_said() throws IOException {
        float[] inFile;
        String fingerprint;
        try (LanguageModel model = open(options())) {
            inFile = values(model, UP);
            fingerprint = model.fingerprint();
        }
        Files.delete(cache.resolve("weights").resolve(cached().getFirst()));
        try (LanguageModel model = open(options().withSyntheticCacheBytes(1000))) {
            assertTrue(model.warnings().getLast().contains("kept in memory"), model.warnings().toString());
            assertTrue(Arrays.equals(inFile, values(model, UP)));
            assertEquals(fingerprint, model.fingerprint());
        }
        assertEquals(List.of(), cached());
    }

    @Test void a_damaged_cache_file_is_made_again() throws IOException {
        float[] right;
        try (LanguageModel model = open(options())) {
            right = values(model, UP);
        }
        Path file = cache.resolve("weights").resolve(cached().getFirst());
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length / 2));
        try (LanguageModel model = open(options())) {
            assertTrue(Arrays.equals(right, values(model, UP)));
        }
        byte[] zeroed = Arrays.copyOf(bytes, 2048);
        Files.write(file, Arrays.copyOf(zeroed, bytes.length));
        try (LanguageModel model = open(options())) {
            assertTrue(Arrays.equals(right, values(model, UP)));
        }
    }

    @Test void what_a_killed_run_left_is_cleared_and_the_oldest_set_makes_room() throws IOException {
        open(options()).close();
        String first = cached().getFirst();
        Files.createFile(cache.resolve("weights/unfinished-123.tmp"));
        folder.config("{\"vocab_size\": 48}");
        long size = Files.size(cache.resolve("weights").resolve(first));
        open(options().withSyntheticCacheBytes(size + 8000)).close();
        assertEquals(1, cached().size());
        assertNotEquals(first, cached().getFirst());
    }

    @Test void a_cache_that_cannot_be_written_is_no_fault() throws IOException {
        Path blocked = Files.createFile(directory.resolve("blocked"));
        try (LanguageModel model = open(OpenOptions.cachingIn(blocked))) {
            assertTrue(model.warnings().getLast().contains("kept in memory"));
        }
    }

    @Test void weights_of_another_directory_take_their_place() {
        Path stored = Cases.folder("a06/tied_head_absent");
        try (LanguageModel model = open(options().withWeightsFrom(Optional.of(stored)))) {
            assertEquals(WeightOrigin.FILE, model.weightOrigin());
            assertTrue(model.tokenizer().isPresent());
            assertEquals(List.of(), model.warnings());
        }
    }

    @Test void qwen2_biases_are_drawn_and_not_ones() {
        folder.config("{\"architectures\": [\"Qwen2ForCausalLM\"]}");
        try (LanguageModel model = open(options())) {
            float[] bias = values(model, "model.layers.0.self_attn.k_proj.bias");
            assertEquals(32, bias.length);
            assertTrue(Math.abs(bias[0]) < 0.1 && bias[0] != bias[1]);
        }
    }
}
