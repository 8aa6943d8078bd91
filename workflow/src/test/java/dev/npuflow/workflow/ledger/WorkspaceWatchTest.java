package dev.npuflow.workflow.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    /// Before the first statement, before COMMIT, and once more when it has returned: what went in between is in no ledger that anyone can read.
    @ParameterizedTest @ValueSource(ints = {1, 2, 3}) void a_transaction_is_watched_from_its_begin_to_behind_its_end(int moment) throws SQLException {
        Path file = folder.resolve("watched.sqlite");
        try (Database database = new Database(file, DriverManager.getConnection("jdbc:sqlite:" + file))) {
            AtomicInteger asked = new AtomicInteger();
            database.watch(() -> {
                if (asked.incrementAndGet() == moment) {
                    throw NpuflowException.environment("NPF-611", "ledger", "removed", "it to stay", "again");
                }
            });
            assertThrows(NpuflowException.class, () -> database.transaction(() -> 1));
            assertEquals(2, database.transaction(() -> 2));
        }
    }
}
