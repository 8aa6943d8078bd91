package dev.npuflow.workflow.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.gate.Verdict;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The ledger of these tests, link by link: 1 run 1, 2 run_status 1 (RUNNING), 3 plan a, 4 plan b, 5 attempt 1/0, 6 measurement 1, 7 verdict 1, 8 event 1 (KEPT a),
/// 9 attempt 1/1, 10 event 2 (APPLIED), 11 event 3 (REVERTED), 12 run_status 2 (PASS).
class LedgerAuditTest {

    private static final RunKey KEY = new RunKey("toy", GatedPhase.DECODE, "d0");
    private static final Conditions CONDITIONS = new Conditions(7, 2048, 32, "d0", "simulated on npu2", "a build");

    @TempDir private static Path written;
    private static String kept;
    @TempDir private Path workspace;

    @BeforeEach void copy() throws IOException {
        Files.copy(written.resolve("ledger.sqlite"), workspace.resolve("ledger.sqlite"));
    }

    @BeforeAll static void write() {
        try (Ledger ledger = Ledger.open(written)) {
            RunId run = ledger.beginRun(KEY, new TreeMap<>());
            kept = ledger.recordPlan(Plans.plan("a"));
            String other = ledger.recordPlan(Plans.plan("b"));
            ledger.beginAttempt(run, 0, "baseline");
            ledger.recordMeasurement(run, new Measurement(kept, CONDITIONS, "{}"));
            ledger.recordVerdict(run, new VerdictRecord(kept, Verdict.PASS, "report.json", "{}"));
            ledger.recordEvent(run, 0, AttemptEvent.of(AttemptState.KEPT, "baseline", "the start").withPlans(kept, kept));
            ledger.beginAttempt(run, 1, "slow");
            ledger.recordEvent(run, 1, AttemptEvent.of(AttemptState.APPLIED, "applied", "made a plan").withDetails("\"" + other + "\""));
            ledger.recordEvent(run, 1, AttemptEvent.of(AttemptState.REVERTED, "not_faster", "slower").withPlans(kept, kept));
            ledger.setStatus(run, RunStatus.PASS);
        }
    }

    private void sql(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + workspace.resolve("ledger.sqlite")); var statement = connection.createStatement()) {
            for (String each : statements) {
                statement.executeUpdate(each.replace("<kept>", kept));
            }
        }
    }

    private LedgerAudit audit() {
        try (Ledger ledger = Ledger.openToRead(workspace).orElseThrow()) {
            return ledger.audit(Optional.empty());
        }
    }

    private List<String> findings() {
        return audit().findings().stream().map(found -> found.table() + " " + found.row() + ": " + found.what()).toList();
    }

    @Test void a_ledger_as_it_was_written_has_no_finding_and_one_link_a_record() {
        assertEquals(List.of(), findings());
        assertEquals(12, audit().records());
        assertTrue(audit().head().matches("[0-9a-f]{64}"));
    }

    @ParameterizedTest @CsvSource(delimiter = '|', value = {
        "UPDATE event SET reason = 'faster' WHERE id = 3 | event 3: reason: not what was recorded",
        "UPDATE event SET state = 'KEPT', code = 'faster' WHERE id = 3 | event 3: state, code: not what was recorded",
        "UPDATE event SET plan_before = NULL WHERE id = 3 | event 3: plan_before: not what was recorded",
        "UPDATE measurement SET at = '2020-01-01 00:00:00' | measurement 1: at: not what was recorded",
        "UPDATE plan SET json = '{}' WHERE hash = '<kept>' | plan <kept>: json: not what was recorded",
        "UPDATE run SET options = '{\"prompts\":\"1\"}' | run 1: options: not what was recorded",
        "UPDATE attempt SET skill = 'fast' WHERE ordinal = 1 | attempt 1/1: skill: not what was recorded",
        "DELETE FROM event WHERE id = 2 | event 2: it is gone",
        "DELETE FROM event WHERE id = 3 | event 3: it is gone",
        "INSERT INTO event (run, ordinal, state, code, reason, details) VALUES (1, 1, 'KEPT', 'a', 'b', '{}') | event 4: no npuflow recorded it",
        "DELETE FROM chain WHERE number = 5 | chain 5: 1 missing between plan {b} and measurement 1",
        "DELETE FROM chain WHERE number = 12 | run_status 2: its record is missing: the chain ends with event 3, 1 before its head",
        "DELETE FROM chain WHERE number > 9 | run_status 2: its record is missing: the chain ends with attempt 1/1, 3 before its head",
        "UPDATE head SET records = 11 | head 11: the head is not that of the last record, run_status 2",
        "UPDATE head SET hash = 'f00d' | head 12: the head is not that of the last record, run_status 2",
        "UPDATE chain SET content = replace(content, 'reason=', 'reason=0') WHERE number = 11 | chain 11: the link of event 3 does not follow from event 2 and what it holds",
        "CREATE TRIGGER later AFTER INSERT ON event BEGIN DELETE FROM event; END | trigger later: no npuflow made this trigger",
        "CREATE TABLE notes (text TEXT) | table notes: no npuflow made this table",
        "DROP TABLE verdict | verdict : the table is gone"})
    void a_change_is_found_and_named(String change, String finding) throws SQLException {
        sql(change);
        assertTrue(findings().contains(finding.replace("<kept>", kept).replace("{b}", Plans.plan("b").hash())), findings()::toString);
    }

    @Test void two_rows_that_were_swapped_are_both_named_with_what_each_is() throws SQLException {
        sql("UPDATE event SET id = 99 WHERE id = 2", "UPDATE event SET id = 2 WHERE id = 3", "UPDATE event SET id = 3 WHERE id = 99");
        assertEquals(List.of("event 2: state, code, reason, plan_before, plan_after, details: not what was recorded, and is what was recorded as event 3",
                "event 3: state, code, reason, plan_before, plan_after, details: not what was recorded, and is what was recorded as event 2"),
                findings().stream().map(found -> found.replace(", at: ", ": ")).toList(), "their times may differ or not");
    }

    @Test void a_row_that_was_deleted_with_its_link_leaves_a_gap() throws SQLException {
        sql("DELETE FROM event WHERE id = 2", "DELETE FROM chain WHERE number = 10");
        assertEquals(List.of("chain 10: 1 missing between attempt 1/1 and event 3"), findings());
    }

    @Test void a_last_row_that_was_deleted_with_its_link_is_missed_by_the_head() throws SQLException {
        sql("DELETE FROM run_status WHERE id = 2", "DELETE FROM chain WHERE number = 12");
        assertEquals(List.of("run_status 2: its record is missing: the chain ends with event 3, 1 before its head"), findings());
    }

    @Test void a_ledger_that_lost_its_end_is_not_gone_on_with() throws SQLException {
        sql("DELETE FROM run_status WHERE id = 2", "DELETE FROM chain WHERE number = 12");
        try (Ledger ledger = Ledger.open(workspace)) {
            assertEquals("NPF-602", assertThrows(NpuflowException.class, () -> ledger.beginRun(KEY, new TreeMap<>())).id());
        }
        assertEquals(1, findings().size());
    }

    /// By the rule of the class comment of Chain, written a second time.
    @Test void the_hash_of_the_first_link_follows_from_what_the_first_row_holds() throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + workspace.resolve("ledger.sqlite")); var statement = connection.createStatement();
                var row = statement.executeQuery("SELECT hash FROM chain WHERE number = 1")) {
            String content = "id=%s model=%s phase=%s device=%s options=%s schema=%s".formatted(sha("number 1"), sha("text toy"), sha("text DECODE"), sha("text d0"), sha("text {}"),
                    sha("number 2"));
            assertEquals(sha("0".repeat(64) + "\n1\nrun\n1\n" + content), row.getString(1));
        }
    }

    private static String sha(String text) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    /// Whoever writes all links anew is not found out by the chain alone; the head that was noted before finds him out.
    @Test void a_noted_head_is_found_as_long_as_nothing_before_it_was_written_anew() throws SQLException {
        String noted = audit().head();
        try (Ledger ledger = Ledger.open(workspace)) {
            ledger.beginRun(KEY, new TreeMap<>());
            assertEquals(List.of(), ledger.audit(Optional.of(noted)).findings());
            assertNotEquals(noted, ledger.audit(Optional.empty()).head());
        }
        sql("UPDATE event SET reason = 'faster' WHERE id = 3");
        rewriteTheChain();
        try (Ledger ledger = Ledger.open(workspace)) {
            assertEquals(List.of(), ledger.audit(Optional.empty()).findings());
            assertEquals(List.of("head " + noted), ledger.audit(Optional.of(noted)).findings().stream().map(found -> found.table() + " " + found.row()).toList());
        }
    }

    private void rewriteTheChain() throws SQLException {
        sql("DELETE FROM chain", "UPDATE head SET records = 0, hash = '" + "0".repeat(64) + "'");
        Path file = workspace.resolve("ledger.sqlite");
        try (Database database = new Database(file, DriverManager.getConnection("jdbc:sqlite:" + file))) {
            for (Table table : Table.values()) {
                new Chain(database).adopt(table);
            }
        }
    }

    @Test void a_plan_that_is_kept_without_a_pass_or_a_measurement_of_its_own_run_is_found() throws SQLException {
        sql("UPDATE verdict SET verdict = 'GATE_FAIL'");
        assertTrue(findings().contains("event 1: it keeps plan " + kept + " without a PASS and a measurement of it before, in run 1"), findings()::toString);
        assertTrue(findings().contains("run 1: it says PASS without a PASS and a measurement of the plan that it kept last"), findings()::toString);
        sql("UPDATE verdict SET verdict = 'PASS'");
        assertEquals(List.of(), findings());
        sql("DELETE FROM measurement");
        assertTrue(findings().contains("event 1: it keeps plan " + kept + " without a PASS and a measurement of it before, in run 1"), findings()::toString);
    }

    /// Of the two that prove a plan, one is linked after the event that keeps it.
    @ParameterizedTest @EnumSource(names = {"MEASUREMENT", "VERDICT"}) void what_came_after_the_plan_was_kept_proves_nothing(Table late) throws SQLException {
        sql("INSERT INTO event (run, ordinal, state, code, reason, plan_after, details) VALUES (1, 1, 'KEPT', 'faster', '', '" + Plans.plan("b").hash() + "', '{}')",
                "INSERT INTO measurement (run, plan, conditions, profile) VALUES (1, '" + Plans.plan("b").hash() + "', (SELECT conditions FROM measurement), '{}')",
                "INSERT INTO verdict (run, plan, verdict, report, rules) VALUES (1, '" + Plans.plan("b").hash() + "', 'PASS', '', '{}')");
        Path file = workspace.resolve("ledger.sqlite");
        sql("DELETE FROM chain", "UPDATE head SET records = 0, hash = '" + "0".repeat(64) + "'");
        try (Database database = new Database(file, DriverManager.getConnection("jdbc:sqlite:" + file))) {
            Table early = late == Table.VERDICT ? Table.MEASUREMENT : Table.VERDICT;
            for (Table table : List.of(Table.PLAN, Table.RUN, Table.RUN_STATUS, Table.ATTEMPT, early, Table.EVENT, late)) {
                new Chain(database).adopt(table);
            }
        }
        assertEquals(2, findings().stream().filter(found -> found.contains("without a PASS and a measurement of it before")).count(), findings()::toString);
    }
}
