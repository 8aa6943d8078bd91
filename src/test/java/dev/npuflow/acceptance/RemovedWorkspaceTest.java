package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A run whose records are taken away under it says so, and never that it passed.
class RemovedWorkspaceTest {

    /// Removes a file or a directory while it is asked; then it does not apply.
    private static final String REMOVES = """
            try {
                if (Files.exists(Path.of("%1$s"))) {
                    for (Path each : Files.walk(Path.of("%1$s")).sorted(java.util.Comparator.reverseOrder()).toList()) { Files.delete(each); }
                }
            } catch (java.io.IOException e) { throw new java.io.UncheckedIOException(e); }
            return Assessment.notApplicable("it only removes");""";

    @TempDir Path folder;

    @ParameterizedTest @CsvSource({"phase5, ledger.sqlite", "phase5, lock", "phase4, .", "deploy, ledger.sqlite-wal"})
    void a_run_whose_workspace_is_removed_in_its_middle_ends_with_a_fault_and_no_pass(String command, String removed) throws IOException {
        Path model = SmallModel.copyTo(folder.resolve("models").resolve("small"));
        Path workspace = folder.resolve("workspace");
        Path gone = workspace.resolve(removed).normalize();
        ToySkill.jar(Files.createDirectory(folder.resolve("skills")), REMOVES.formatted(gone));
        CommandRun run = CommandRun.of(command, model.toString(), "--workspace", workspace.toString(), "--skills-dir", folder.resolve("skills").toString());
        assertEquals(3, run.exitCode(), run.out() + run.err());
        assertTrue(run.err().contains("NPF-611 ") && run.err().contains("removed while the run went on"), run.err());
        assertFalse(run.out().replaceAll("(?s)Phase 3 .*?Phase 3: PASS", "").contains("PASS"), run.out());
        assertFalse(Files.exists(gone), "nothing is made anew");
        assertFalse(Files.exists(workspace.resolve("documents").resolve("small").resolve("phase4_prefill.md")), "and no document tells of it");
    }
}
