package dev.npuflow.workflow.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What the fuzzer found, each as the smallest input of its kind: an exception, a reader without end, or a line without end.
class FoundInputsTest {

    private static final String BEYOND_A_DOUBLE = "1".repeat(400);

    @TempDir private Path place;

    static Stream<Arguments> found() {
        return Stream.of(
                Arguments.of("config", "{\"architectures\": [\"LlamaForCausalLM\"], \"num_attention_heads\": %s}".formatted(BEYOND_A_DOUBLE), "NPF-105"),
                Arguments.of("config", "{\"architectures\": [\"LlamaForCausalLM\"], \"num_attention_heads\": 4, \"hidden_size\": 64, \"num_hidden_layers\": 1, \"rms_norm_eps\": %s, \"intermediate_size\": 64, \"vocab_size\": 32}"
                        .formatted(BEYOND_A_DOUBLE), "NPF-105"),
                Arguments.of("generation", "{\"eos_token_id\": [1, %s]}".formatted(BEYOND_A_DOUBLE), "NPF-105"),
                Arguments.of("tokenizer-siblings", "{\"tokenizer_config\": {\"eos_token\": \"%s\"}}".formatted("a".repeat(80_000)), "NPF-105"),
                Arguments.of("index", "{\"weight_map\": {\"%s\": \"%s\"}}".formatted("x".repeat(40_000), "y".repeat(80_000)), "NPF-130"),
                Arguments.of("model-yaml", "# %s\nname: a\n".formatted("{".repeat(200_000)), "NPF-186"),
                Arguments.of("model-yaml", "prompts: \"a\\0b\"\n", "NPF-180"),
                Arguments.of("device", device("array.columns: [1, 2]"), "NPF-302"),
                Arguments.of("device", device("array: {columns: [1, 2]}"), "NPF-302"),
                Arguments.of("device", device("array: {columns: %s}".formatted(BEYOND_A_DOUBLE)), "NPF-302"),
                Arguments.of("device", device("array: {columns: {value: [1], source: \"a\"}}"), "NPF-302"),
                Arguments.of("device", device("array: {columns: {value: 1, source: [a]}}"), "NPF-302"),
                Arguments.of("device", device("array: {columns: {value: 1, calibrated: 2, plausible: [0, 2]}}"), "NPF-302"),
                Arguments.of("device", device("array: {columns: {value: 1, source: \"a\", plausible: [5, 6]}}"), "NPF-303"),
                Arguments.of("device", "device: \"\"\nkind: aie\n", "NPF-301"));
    }

    private static String device(String line) {
        return "device: mine\nkind: aie\n" + line + "\n";
    }

    @ParameterizedTest @MethodSource("found")
    void is_refused_in_one_short_line(String name, String input, String id) throws IOException {
        Subject subject = Subjects.all(place).stream().filter(known -> known.name().equals(name)).findFirst().orElseThrow();
        NpuflowException fault = assertThrows(NpuflowException.class, () -> subject.reader().read(input.getBytes(StandardCharsets.UTF_8)));
        assertEquals(id, fault.id(), fault.getMessage());
        assertTrue(fault.getMessage().length() < 5000, () -> fault.getMessage().length() + " characters");
    }

    /// The parser kept a table of the names that it had read, and a long run read every file at the price of all names before.
    @Test void the_names_of_one_file_cost_the_next_nothing() throws IOException {
        Subject config = Subjects.all(place).stream().filter(known -> known.name().equals("config")).findFirst().orElseThrow();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long most = 0;
        for (int file = 0; file < 600; file++) {
            byte[] input = "{\"%d%s\": 1}".formatted(file, "x".repeat(40_000)).getBytes(StandardCharsets.UTF_8);
            long before = threads.getCurrentThreadAllocatedBytes();
            assertThrows(NpuflowException.class, () -> config.reader().read(input));
            most = file < 100 ? 0 : Math.max(most, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertTrue(most < 8L << 20, most + " bytes for 40 kB");
    }
}
