package dev.npuflow.workflow.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkspaceWatchTest {

    private static final RunKey KEY = new RunKey("toy", GatedPhase.DECODE, "d0");

    @TempDir private Path folder;

    private Path workspace() {
        return folder.resolve("workspace");
    }

    private static String next(Ledger ledger) {
        return assertThrows(NpuflowException.class, () -> ledger.recordPlan(Plans.plan("b"))).getMessage();
    }

    @ParameterizedTest @CsvSource({"ledger.sqlite", "lock", "ledger.sqlite-wal"}) void a_file_that_is_removed_is_missed_before_the_next_record(String name) throws IOException {
        try (Ledger ledger = Ledger.open(workspace())) {
            ledger.recordPlan(Plans.plan("a"));
            Files.delete(workspace().resolve(name));
            assertEquals("NPF-611 %s (removed while the run went on): expected the workspace of a run to stay where it is; try the command again, which begins a new run"
                    .formatted(workspace().resolve(name)), next(ledger));
        }
    }

    @Test void a_workspace_that_is_moved_is_missed() throws IOException {
        try (Ledger ledger = Ledger.open(workspace())) {
            Files.move(workspace(), folder.resolve("elsewhere"));
            assertEquals("NPF-611", next(ledger).substring(0, 7));
            Files.move(folder.resolve("elsewhere"), workspace());
            ledger.recordPlan(Plans.plan("a"));
        }
    }

    @Test void a_ledger_of_another_run_in_the_same_place_is_another() throws IOException {
        try (Ledger ledger = Ledger.open(workspace())) {
            ledger.beginRun(KEY, new TreeMap<>());
            Files.move(workspace(), folder.resolve("elsewhere"));
            try (Ledger second = Ledger.open(workspace())) {
                assertEquals("replaced while the run went on", next(ledger).replaceAll(".*\\(|\\).*", ""));
                assertEquals(0, second.history().size());
            }
        }
    }

    @Test void what_is_read_is_missed_too_and_a_reader_does_not_mind() throws IOException {
        try (Ledger ledger = Ledger.open(workspace())) {
            ledger.beginRun(KEY, new TreeMap<>());
            try (Ledger reader = Ledger.openToRead(workspace()).orElseThrow()) {
                Files.delete(workspace().resolve("lock"));
                assertEquals("NPF-611", assertThrows(NpuflowException.class, () -> ledger.lastRun(KEY)).id());
                assertEquals(1, reader.history().size());
            }
        }
    }
}
