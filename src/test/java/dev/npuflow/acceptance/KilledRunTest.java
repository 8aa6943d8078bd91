package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process that is killed is given no chance to tidy up. `make soak` kills at any instant; these are three that it must survive.
class KilledRunTest {

    @TempDir Path folder;

    private static TreeCopy tree(Path root) throws IOException {
        TreeCopy tree = TreeCopy.in(Files.createDirectory(root));
        SmallModel.copyTo(tree.model("small"));
        return tree;
    }

    /// Runs a command until it says that it begins a step, and kills it.
    private static void kill(TreeCopy tree, String step, String... command) throws IOException, InterruptedException {
        Process process = tree.startWithoutTests(command);
        try (var said = process.inputReader()) {
            String line = said.readLine();
            while (!Objects.requireNonNull(line, "it ended before " + step).contains(step)) {
                line = said.readLine();
            }
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test void a_deployment_that_is_killed_in_each_phase_ends_in_the_same_documents() throws Exception {
        TreeCopy whole = tree(folder.resolve("whole"));
        CommandRun deployed = whole.run("deploy", "small");
        assertEquals(0, deployed.exitCode(), deployed.out());
        SortedMap<String, String> documents = whole.documents();
        TreeCopy killed = tree(folder.resolve("killed"));
        kill(killed, "phase 3, step 2", "deploy", "small");
        kill(killed, "phase 4, step 3", "deploy", "small", "--resume");
        kill(killed, "phase 5, step 4", "deploy", "small", "--resume");
        CommandRun resumed = killed.run("deploy", "small", "--resume");
        assertEquals(0, resumed.exitCode(), resumed.out());
        assertTrue(resumed.out().contains("Phase 5: PASS"), resumed.out());
        assertEquals(documents, killed.documents());
        assertEquals(Optional.empty(), documents.values().stream().filter(String::isBlank).findAny());
    }
}
