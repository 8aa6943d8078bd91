package dev.npuflow.workflow.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.gate.Expected;
import dev.npuflow.workflow.gate.Yardstick;
import dev.npuflow.workflow.generation.Divergence;
import dev.npuflow.workflow.generation.GreedyDecoder;
import dev.npuflow.workflow.model.LanguageModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReferenceTracesTest {

    private static final int[] FIRST = {1022, 40, 77};
    private static final int[] SECOND = {1022, 7};

    @TempDir Path cache;
    private final List<String> notices = new ArrayList<>();
    private final List<Integer> computed = new ArrayList<>();
    private LanguageModel model;

    @BeforeEach void open(@TempDir Path modelCache) {
        model = Models.tinyKjv(modelCache);
    }

    @AfterEach void close() {
        model.close();
    }

    @Test void a_trace_is_what_the_engine_generates() {
        Expected trace = traces(6, 5).getFirst();
        try (ReferenceEngine engine = new ReferenceEngine(model, ReferenceOptions.defaults(line -> { }))) {
            assertEquals(GreedyDecoder.trace(engine, FIRST, 6, 5), trace.tokens());
        }
    }

    @Test void the_unrounded_logits_stand_beside_it_with_their_distance_to_the_engine_that_rounds() {
        Yardstick yardstick = traces(6, 5).getFirst().yardstick().orElseThrow();
        try (ReferenceEngine rounded = new ReferenceEngine(model, ReferenceOptions.defaults(line -> { }));
                ReferenceEngine exact = ReferenceEngine.unrounded(model, ReferenceOptions.defaults(line -> { }))) {
            float[] expected = exact.prefill(FIRST);
            assertArrayEquals(expected, yardstick.unrounded(0));
            assertEquals(Divergence.of(expected, rounded.prefill(FIRST)), yardstick.noise(0));
            assertTrue(yardstick.noise(0) > 0);
            assertEquals(6, yardstick.steps());
        }
    }

    @Test void lost_logits_are_computed_again() throws IOException {
        List<Expected> first = traces(4, 5);
        Files.delete(files(".logits").getFirst());
        assertEquals(first, traces(4, 5));
        assertEquals(3, computed.size());
    }

    @Test void a_cached_trace_is_not_computed_again() {
        List<Expected> first = traces(4, 5);
        assertEquals(List.of(1, 2), computed);
        assertEquals(first, traces(4, 5));
        assertEquals(List.of(1, 2), computed);
    }

    @Test void another_number_of_steps_or_of_best_ids_is_another_trace() {
        traces(4, 5);
        traces(5, 5);
        traces(4, 3);
        assertEquals(List.of(1, 2, 1, 2, 1, 2), computed);
    }

    @Test void a_damaged_file_is_computed_again_and_named() throws IOException {
        List<Expected> first = traces(4, 5);
        for (Path file : files()) {
            String text = Files.readString(file);
            int digit = text.indexOf("\"chosen\":[") + 10;
            Files.writeString(file, text.substring(0, digit) + (text.charAt(digit) == '1' ? '2' : '1') + text.substring(digit + 1));
        }
        assertEquals(first, traces(4, 5));
        assertEquals(List.of(1, 2, 1, 2), computed);
        assertEquals(2, notices.size());
        assertTrue(notices.getFirst().contains(files().getFirst().getParent().toString()));
        assertEquals(first, traces(4, 5));
        assertEquals(List.of(1, 2, 1, 2), computed);
    }

    @Test void a_file_cut_anywhere_is_computed_again() throws IOException {
        List<Expected> first = traces(4, 5);
        Path file = files().getFirst();
        String whole = Files.readString(file);
        for (int length : new int[] {0, 1, 10, whole.length() / 2, whole.length() - 2}) {
            Files.writeString(file, whole.substring(0, length));
            assertEquals(first, traces(4, 5), "cut to " + length);
            assertEquals(whole, Files.readString(file));
        }
        assertEquals(5, notices.size());
    }

    @Test void a_whole_file_under_another_key_is_not_believed() throws IOException {
        traces(4, 5);
        List<Path> files = files();
        Files.copy(files.get(0), files.get(1), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        List<Expected> again = traces(4, 5);
        assertNotEquals(again.get(0), again.get(1));
        assertEquals(1, notices.size());
    }

    private List<Expected> traces(int tokens, int topK) {
        ReferenceOptions options = ReferenceOptions.defaults(notices::add);
        return new ReferenceTraces(cache.resolve("reference"), options, tokens, topK).of(model, List.of(FIRST, SECOND), (number, _, _) -> computed.add(number));
    }

    private List<Path> files() throws IOException {
        return files(".json");
    }

    private List<Path> files(String ending) throws IOException {
        try (Stream<Path> files = Files.list(cache.resolve("reference"))) {
            return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
        }
    }
}
