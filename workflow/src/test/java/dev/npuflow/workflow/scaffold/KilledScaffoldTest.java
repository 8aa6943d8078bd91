package dev.npuflow.workflow.scaffold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process that makes one directory after another ends in the middle of one, most likely.
class KilledScaffoldTest {

    private static final int FILES = 50;

    @TempDir Path models;

    /// Makes directories for ever, and says which are whole.
    static final class Writer {

        private Writer() {}

        public static void main(String[] arguments) throws IOException {
            for (int i = 0;; i++) {
                UnfinishedDirectory.fill(Path.of(arguments[0], "model_" + i), directory -> {
                    for (int file = 0; file < FILES; file++) {
                        Files.writeString(directory.resolve("file_" + file), "text");
                    }
                });
                System.out.println(i);
            }
        }
    }

    private Process writer() throws IOException {
        Process writer = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "--enable-native-access=ALL-UNNAMED",
                "-cp", System.getProperty("java.class.path"), Writer.class.getName(), models.toString()).start();
        var said = writer.inputReader();
        String last = said.readLine();
        while (!"50".equals(last)) {
            last = Objects.requireNonNull(said.readLine(), "the writer ended");
        }
        return writer;
    }

    private List<Path> directories() throws IOException {
        try (Stream<Path> entries = Files.list(models)) {
            return entries.sorted().toList();
        }
    }

    private static void assertWhole(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            assertEquals(FILES, files.filter(Files::isRegularFile).count(), directory.toString());
        }
    }

    @Test void a_process_that_is_told_to_end_leaves_whole_directories_only() throws Exception {
        Process writer = writer();
        writer.destroy();
        assertEquals(143, writer.waitFor());
        for (Path directory : directories()) {
            assertTrue(directory.getFileName().toString().startsWith("model_"), directory.toString());
            assertWhole(directory);
        }
    }

    @Test void what_a_killed_process_leaves_is_hidden_and_cleared_away_by_the_next() throws Exception {
        Process writer = writer();
        writer.destroyForcibly().waitFor();
        Path left = models.resolve(".new-%d-other".formatted(writer.pid()));
        Files.createDirectories(left.resolve("docs"));
        Path busy = Files.createDirectory(models.resolve(".new-%d-other".formatted(ProcessHandle.current().pid())));
        UnfinishedDirectory.fill(models.resolve("next"), directory -> Files.writeString(directory.resolve("file"), "text"));
        assertTrue(Files.exists(busy), "a living process may still fill its own");
        List<Path> hidden = directories().stream().filter(directory -> directory.getFileName().toString().startsWith(".")).toList();
        assertEquals(List.of(busy), hidden);
        for (Path directory : directories()) {
            if (directory.getFileName().toString().startsWith("model_")) {
                assertWhole(directory);
            }
        }
    }
}
