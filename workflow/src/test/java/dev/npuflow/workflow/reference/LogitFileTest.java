package dev.npuflow.workflow.reference;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogitFileTest {

    private static final String KEY = "ab".repeat(32);
    private static final float[] FIRST = {1, -2, 0.5f};
    private static final float[] SECOND = {4, 5, Float.MIN_VALUE};

    @TempDir Path folder;
    private final List<String> notices = new ArrayList<>();

    @Test void what_was_written_is_read_back_step_by_step() {
        LogitFile written = write();
        LogitFile read = find(KEY, 2).orElseThrow();
        assertEquals(written, read);
        assertEquals(3, read.vocabulary());
        assertArrayEquals(FIRST, read.unrounded(0));
        assertArrayEquals(SECOND, read.unrounded(1));
        assertEquals(0.25, read.noise(1));
        assertEquals(List.of(), notices);
    }

    @Test void a_file_of_another_key_or_length_is_not_believed() {
        write();
        assertEquals(Optional.empty(), find("cd".repeat(32), 2));
        assertEquals(Optional.empty(), find(KEY, 1));
        assertEquals(Optional.empty(), find(KEY, 3));
        assertEquals(3, notices.size());
    }

    @Test void no_byte_can_change_and_none_can_be_missing() throws IOException {
        write();
        byte[] whole = Files.readAllBytes(file());
        for (int at = 0; at < whole.length; at++) {
            byte[] wrong = whole.clone();
            wrong[at] ^= 0x10;
            Files.write(file(), wrong);
            assertEquals(Optional.empty(), find(KEY, 2), "byte " + at);
            Files.write(file(), Arrays.copyOf(whole, at));
            assertEquals(Optional.empty(), find(KEY, 2), "cut at " + at);
        }
    }

    @Test void a_file_that_is_not_there_is_no_damage() {
        assertEquals(Optional.empty(), find(KEY, 2));
        assertEquals(List.of(), notices);
    }

    @Test void a_writer_that_does_not_finish_leaves_nothing() throws IOException {
        try (LogitFile.Writer writer = new LogitFile.Writer(file(), KEY, 2)) {
            writer.add(0.5, FIRST);
        }
        try (Stream<Path> left = Files.list(folder)) {
            assertEquals(0, left.count());
        }
    }

    @Test void a_file_that_changes_while_it_is_used_is_named() throws IOException {
        LogitFile read = write();
        Files.write(file(), new byte[10]);
        NpuflowException changed = assertThrows(NpuflowException.class, () -> read.unrounded(0));
        assertEquals("NPF-166", changed.id());
        assertTrue(changed.getMessage().contains(file().toString()));
    }

    private LogitFile write() {
        try (LogitFile.Writer writer = new LogitFile.Writer(file(), KEY, 2)) {
            writer.add(0.5, FIRST);
            writer.add(0.25, SECOND);
            return writer.finish();
        }
    }

    private Optional<LogitFile> find(String key, int steps) {
        return LogitFile.find(file(), key, steps, notices::add);
    }

    private Path file() {
        return folder.resolve("a.logits");
    }
}
