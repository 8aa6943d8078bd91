package dev.npuflow.workflow.file;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegularFileTest {

    @TempDir Path directory;

    private String refusal(String id, String name) {
        NpuflowException refused = assertThrows(NpuflowException.class, () -> RegularFile.find(directory.resolve(name)));
        assertEquals(id, refused.id(), refused.getMessage());
        return refused.getMessage();
    }

    @Test void a_file_is_there_also_behind_links_and_a_name_that_nothing_has_is_not() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "x");
        Path link = Files.createSymbolicLink(directory.resolve("link"), Path.of("file"));
        Path second = Files.createSymbolicLink(directory.resolve("second"), link);
        assertEquals(Optional.of(file), RegularFile.find(file));
        assertEquals(Optional.of(second), RegularFile.find(second));
        assertEquals(Optional.empty(), RegularFile.find(directory.resolve("other")));
        assertEquals("NPF-101", assertThrows(NpuflowException.class, () -> RegularFile.require(directory.resolve("other"))).id());
    }

    @Test void a_link_that_leads_nowhere_is_not_an_absent_file() throws IOException {
        Files.createSymbolicLink(directory.resolve("gone"), Path.of("../blobs/0a1b"));
        String told = refusal("NPF-108", "gone");
        assertTrue(told.contains("gone is a broken link (it points to ../blobs/0a1b, and nothing is there)"), told);
        Files.createSymbolicLink(directory.resolve("through"), Path.of("gone"));
        refusal("NPF-108", "through");
    }

    @Test void a_link_that_leads_in_a_circle_is_said_to() throws IOException {
        Files.createSymbolicLink(directory.resolve("there"), Path.of("back"));
        Files.createSymbolicLink(directory.resolve("back"), Path.of("there"));
        assertTrue(refusal("NPF-108", "there").contains("it points to back, and it leads in a circle"));
    }

    @Test void a_directory_is_no_file_and_neither_is_a_link_to_one() throws IOException {
        Files.createDirectory(directory.resolve("folder"));
        Files.createSymbolicLink(directory.resolve("link"), Path.of("folder"));
        assertTrue(refusal("NPF-101", "folder").contains("(a directory)"));
        assertTrue(refusal("NPF-101", "link").contains("(a directory)"));
    }

    @Test void a_pipe_is_refused_without_being_opened() throws IOException, InterruptedException {
        assertEquals(0, new ProcessBuilder("mkfifo", directory.resolve("pipe").toString()).start().waitFor());
        assertTrue(refusal("NPF-101", "pipe").contains("(a pipe or a device)"));
    }

    @Test void whatever_is_no_broken_link_is_not_called_one() throws IOException {
        assertEquals(Optional.empty(), RegularFile.brokenLink(directory));
        assertEquals(Optional.empty(), RegularFile.brokenLink(directory.resolve("absent")));
        assertEquals(Optional.empty(), RegularFile.brokenLink(Files.createSymbolicLink(directory.resolve("whole"), directory)));
    }
}
