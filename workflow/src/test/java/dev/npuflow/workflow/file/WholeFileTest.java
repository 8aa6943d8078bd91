package dev.npuflow.workflow.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WholeFileTest {

    @TempDir Path folder;

    @Test void a_file_and_the_directories_above_it_are_made() throws IOException {
        WholeFile.write(folder.resolve("a/b/c.txt"), "text");
        assertEquals("text", Files.readString(folder.resolve("a/b/c.txt")));
        assertEquals(List.of("c.txt"), names(folder.resolve("a/b")));
    }

    @Test void content_that_fails_halfway_leaves_the_old_file_and_nothing_else() throws IOException {
        Path old = Files.writeString(folder.resolve("old.txt"), "old");
        for (String name : List.of("old.txt", "new.txt")) {
            assertThrows(IllegalStateException.class, () -> WholeFile.write(folder.resolve(name), out -> {
                out.write(new byte[100_000]);
                throw new IllegalStateException("halfway");
            }));
        }
        assertEquals("old", Files.readString(old));
        assertEquals(List.of("old.txt"), names(folder));
    }

    @Test void content_makes_no_directory() {
        assertThrows(IOException.class, () -> WholeFile.write(folder.resolve("no/such.txt"), out -> out.write(1)));
        assertFalse(Files.exists(folder.resolve("no")));
    }

    @Test void a_link_goes_on_pointing_to_the_file_that_is_written() throws IOException {
        Path file = Files.writeString(folder.resolve("file.txt"), "old");
        Path link = Files.createSymbolicLink(folder.resolve("link.txt"), Path.of("file.txt"));
        WholeFile.replace(link, "new");
        assertTrue(Files.isSymbolicLink(link));
        assertEquals("new", Files.readString(file));
    }

    /// A test that renames onto the device itself would break the machine of whoever runs it as root.
    @Test void what_is_no_file_is_written_in_place_and_stays() throws Exception {
        Path pipe = folder.resolve("pipe");
        assumeTrue(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor() == 0);
        Process reader = new ProcessBuilder("cat", pipe.toString()).start();
        WholeFile.replace(pipe, "through");
        assertEquals("through", new String(reader.getInputStream().readAllBytes()));
        assertFalse(Files.isRegularFile(pipe));
        assertEquals(List.of("pipe"), names(folder));
    }

    @Test void a_directory_is_not_replaced_even_if_it_is_empty() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("directory"));
        assertThrows(FileSystemException.class, () -> WholeFile.write(directory, "text"));
        assertTrue(assertThrows(NpuflowException.class, () -> WholeFile.replace(directory, "text")).getMessage().startsWith("NPF-510 "));
        assertTrue(Files.isDirectory(directory));
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }
}
