package dev.npuflow.workflow.ledger;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.ExitCode;
import dev.npuflow.fault.NpuflowException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LedgerMigrationTest {

    private static final RunKey KEY = new RunKey("toy", GatedPhase.DECODE, "d0");

    @TempDir private Path workspace;

    private void older() throws SQLException {
        try (OldLedger old = new OldLedger(workspace)) {
            old.run(1, KEY, "PASS", Optional.of("2026-01-01 10:05:00"), Plans.plan("a"));
            old.run(2, KEY, "RUNNING", Optional.empty(), Plans.plan("b"));
            old.run(3, KEY.ablation(), "INTERRUPTED", Optional.empty(), Plans.plan("a"));
        }
    }

    private int schema() throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + workspace.resolve("ledger.sqlite")); var rows = connection.createStatement().executeQuery("PRAGMA user_version")) {
            return rows.getInt(1);
        }
    }

    @Test void an_older_ledger_keeps_its_runs_plans_and_times() throws SQLException {
        older();
        try (Ledger ledger = Ledger.open(workspace)) {
            assertEquals(List.of(RunStatus.PASS, RunStatus.RUNNING, RunStatus.INTERRUPTED), ledger.history().stream().map(Run::status).toList());
            assertEquals(Optional.of(Plans.plan("a").hash()), ledger.lastKeptPlan(KEY));
            assertEquals(Plans.plan("b"), ledger.plan(Plans.plan("b").hash()));
            assertEquals(new RunTime("2026-01-01 10:00:00", Optional.of("2026-01-01 10:05:00"), 300), ledger.time(new RunId(1)));
            assertEquals(Optional.empty(), ledger.time(new RunId(2)).ended());
            assertEquals(1, ledger.measurements(new RunId(1), Plans.plan("a").hash()).size());
            assertEquals(List.of(), ledger.audit(Optional.empty()).findings());
        }
        assertEquals(2, schema());
    }

    @Test void the_runs_of_an_older_ledger_are_told_from_those_begun_after_it_was_migrated() throws SQLException {
        older();
        try (Ledger ledger = Ledger.open(workspace)) {
            assertTrue(ledger.openRun(KEY).orElseThrow().begunByOlder());
            RunId next = ledger.beginRun(KEY, new TreeMap<>());
            assertFalse(ledger.run(next).begunByOlder());
            assertEquals(RunStatus.INTERRUPTED, ledger.run(new RunId(2)).status(), "its process is dead, and it is not gone on with");
        }
        try (Ledger again = Ledger.open(workspace)) {
            assertEquals(4, again.history().size(), "a ledger is migrated once");
            assertEquals(List.of(), again.audit(Optional.empty()).findings());
        }
    }

    @Test void a_reader_migrates_it_too_unless_a_run_holds_the_workspace() throws SQLException {
        older();
        try (WorkspaceLock held = WorkspaceLock.take(workspace)) {
            assertEquals("NPF-601", assertThrows(NpuflowException.class, () -> Ledger.openToRead(workspace)).id());
        }
        assertEquals(1, schema());
        try (Ledger reader = Ledger.openToRead(workspace).orElseThrow()) {
            assertEquals(Optional.of(Plans.plan("a").hash()), reader.lastKeptPlan(KEY));
        }
        assertEquals(2, schema());
    }

    @Test void a_migration_that_fails_half_way_leaves_the_older_ledger_as_it_was() throws SQLException {
        older();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + workspace.resolve("ledger.sqlite")); var statement = connection.createStatement()) {
            statement.execute("CREATE VIEW uses_the_status AS SELECT status FROM run");
            assertEquals("NPF-603", assertThrows(NpuflowException.class, () -> Ledger.open(workspace)).id());
            try (var rows = statement.executeQuery("SELECT group_concat(name) FROM sqlite_master WHERE name IN ('chain', 'head', 'run_status')")) {
                assertEquals(null, rows.getString(1));
            }
            statement.execute("DROP VIEW uses_the_status");
        }
        assertEquals(1, schema());
        Ledger.open(workspace).close();
        assertEquals(2, schema());
    }

    @Test void a_newer_ledger_is_refused_in_one_line_and_not_written() throws Exception {
        Ledger.open(workspace).close();
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + workspace.resolve("ledger.sqlite")); var statement = connection.createStatement()) {
            statement.execute("PRAGMA user_version = 3");
        }
        byte[] before = Files.readAllBytes(workspace.resolve("ledger.sqlite"));
        for (NpuflowException refused : List.of(assertThrows(NpuflowException.class, () -> Ledger.open(workspace)),
                assertThrows(NpuflowException.class, () -> Ledger.openToRead(workspace)))) {
            assertEquals("NPF-605 %s (schema 3): expected schema 1 to 2; try the npuflow that wrote it, or another --workspace".formatted(workspace.resolve("ledger.sqlite")),
                    refused.getMessage());
            assertEquals(ExitCode.BAD_INPUT, refused.fault().exitCode());
        }
        assertArrayEquals(before, Files.readAllBytes(workspace.resolve("ledger.sqlite")));
    }

    @Test void a_proof_that_came_after_what_it_proves_is_taken_of_an_old_run_only() throws SQLException {
        older();
        try (OldLedgerRows rows = new OldLedgerRows(workspace)) {
            rows.failLater(1, Plans.plan("a").hash());
        }
        try (Ledger ledger = Ledger.open(workspace)) {
            assertEquals(List.of("run 1 it says PASS without a PASS and a measurement of the plan that it kept last"),
                    ledger.audit(Optional.empty()).findings().stream().map(found -> found.table() + " " + found.row() + " " + found.what()).toList());
        }
    }

    /// More rows for a ledger of schema 1.
    private record OldLedgerRows(java.sql.Connection connection) implements AutoCloseable {

        OldLedgerRows(Path workspace) throws SQLException {
            this(DriverManager.getConnection("jdbc:sqlite:" + workspace.resolve("ledger.sqlite")));
        }

        /// As a final gate that fails after its plan was kept.
        void failLater(int run, String plan) throws SQLException {
            try (var statement = connection.prepareStatement("INSERT INTO verdict (run, plan, verdict, report, rules) VALUES (?, ?, 'GATE_FAIL', '', '{}')")) {
                statement.setInt(1, run);
                statement.setString(2, plan);
                statement.execute();
            }
        }

        @Override public void close() throws SQLException {
            connection.close();
        }
    }
}
