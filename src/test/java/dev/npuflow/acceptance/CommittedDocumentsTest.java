package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The documents in the tree are what the tool writes: running the demo again changes nothing.
class CommittedDocumentsTest {

    private static final Path ROOT = Path.of(System.getProperty("npuflow.root"));

    @TempDir Path workspace;

    @Test void the_demo_leaves_the_committed_documents_as_they_are() throws IOException, InterruptedException {
        assumeTrue(Files.exists(ROOT.resolve(".git")), "a clone shows what is committed; an archive does not");
        String before = status();
        CommandRun run = CommandRun.of("phase5", TinyKjv.directory().toString(), "--workspace", workspace.toString());
        assertEquals(0, run.exitCode(), run.err());
        assertEquals(before, status());
    }

    private static String status() throws IOException, InterruptedException {
        Process git = new ProcessBuilder("git", "-C", ROOT.toString(), "status", "--porcelain", "--", "programming_examples", "docs/development_progress")
                .redirectErrorStream(true).start();
        String out = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, git.waitFor(), out);
        return out;
    }
}
