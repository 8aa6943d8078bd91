package dev.npuflow.workflow.generation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GateFileTest {

    @TempDir Path directory;

    @Test void reads_upstreams_form() throws IOException {
        Path file = write("""
                {"1": {"chosen": [7], "topk": [[7, 1]]}, "0": {"chosen": [19, 0], "topk": [[19, 1019], [0, 5]]}}
                """);
        assertEquals(List.of(
                new TokenTrace(List.of(19, 0), List.of(List.of(19, 1019), List.of(0, 5))),
                new TokenTrace(List.of(7), List.of(List.of(7, 1)))), GateFile.read(file));
    }

    @Test void writes_upstreams_form_and_leaves_nothing_else() throws IOException {
        Path file = directory.resolve("new/gate.json");
        GateFile.write(file, List.of(new TokenTrace(List.of(3), List.of(List.of(3, 9)))));
        assertEquals("{\"0\":{\"chosen\":[3],\"topk\":[[3,9]]}}\n", Files.readString(file));
        try (Stream<Path> files = Files.list(file.getParent())) {
            assertEquals(List.of(file), files.toList());
        }
    }

    @Test void a_new_file_replaces_the_old_one() {
        Path file = directory.resolve("gate.json");
        GateFile.write(file, List.of(new TokenTrace(List.of(3), List.of(List.of(3)))));
        List<TokenTrace> newer = List.of(new TokenTrace(List.of(4), List.of(List.of(4))), new TokenTrace(List.of(5), List.of(List.of(5))));
        GateFile.write(file, newer);
        assertEquals(newer, GateFile.read(file));
    }

    @ParameterizedTest @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
        "NPF-172 | {\"0\":",
        "NPF-172 | {} trailing",
        "NPF-172 | {\"0\":{\"chosen\":[1],\"topk\":[[1]]},\"0\":{\"chosen\":[1],\"topk\":[[1]]}}",
        "NPF-173 | {}",
        "NPF-173 | []",
        "NPF-173 | {\"1\":{\"chosen\":[1],\"topk\":[[1]]}}",
        "NPF-173 | {\"0\":[]}",
        "NPF-173 | {\"0\":{\"chosen\":[],\"topk\":[]}}",
        "NPF-173 | {\"0\":{\"chosen\":[1]}}",
        "NPF-173 | {\"0\":{\"chosen\":[1,2],\"topk\":[[1]]}}",
        "NPF-173 | {\"0\":{\"chosen\":[1],\"topk\":[[2,1]]}}",
        "NPF-173 | {\"0\":{\"chosen\":[-1],\"topk\":[[-1]]}}",
        "NPF-173 | {\"0\":{\"chosen\":[1.5],\"topk\":[[1.5]]}}",
        "NPF-173 | {\"0\":{\"chosen\":[4294967297],\"topk\":[[1]]}}",
        "NPF-173 | {\"0\":{\"chosen\":[1],\"topk\":[[]]}}",
        "NPF-173 | {\"0\":{\"chosen\":[\"1\"],\"topk\":[[\"1\"]]}}"})
    void refuses_what_is_not_a_gate_file_in_one_line(String id, String text) throws IOException {
        Path file = write(text);
        NpuflowException fault = assertThrows(NpuflowException.class, () -> GateFile.read(file));
        assertEquals(id, fault.id(), fault.getMessage());
        assertFalse(fault.getMessage().contains("\n"));
        assertTrue(fault.getMessage().contains(file.toString()));
    }

    @Test void refuses_a_file_that_is_not_there() {
        assertEquals("NPF-170", assertThrows(NpuflowException.class, () -> GateFile.read(directory.resolve("absent.json"))).id());
    }

    @Test void refuses_a_huge_file_without_reading_it() throws IOException {
        Path file = directory.resolve("huge.json");
        try (RandomAccessFile sparse = new RandomAccessFile(file.toFile(), "rw")) {
            sparse.setLength((16L << 20) + 1);
        }
        assertEquals("NPF-171", assertThrows(NpuflowException.class, () -> GateFile.read(file)).id());
    }

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("gate.json"), text);
    }
}
