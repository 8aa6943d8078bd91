package dev.npuflow.workflow.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.gate.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class LedgerTest {

    private static final RunKey KEY = new RunKey("toy", GatedPhase.DECODE, "d0");
    private static final Conditions CONDITIONS = new Conditions(7, 2048, 32, "d0", "simulated on npu2", "0.1.0");

    @TempDir private Path workspace;
    private Ledger ledger;
    private RunId run;

    @BeforeEach void begin() {
        ledger = Ledger.open(workspace);
        run = ledger.beginRun(KEY, new TreeMap<>());
    }

    @AfterEach void end() {
        ledger.close();
    }

    private String prove(RunId in, String name, Verdict verdict) {
        String plan = ledger.recordPlan(Plans.plan(name));
        ledger.recordVerdict(in, new VerdictRecord(plan, verdict, "report.json", "{}"));
        ledger.recordMeasurement(in, new Measurement(plan, CONDITIONS, "{\"ms_per_token\":1.5}"));
        return plan;
    }

    private void keep(RunId in, int ordinal, String plan) {
        ledger.beginAttempt(in, ordinal, "some-skill");
        ledger.recordEvent(in, ordinal, AttemptEvent.of(AttemptState.KEPT, "faster", "faster").withPlans(plan, plan));
    }

    @Test void a_plan_comes_back_as_the_very_same_plan() {
        String hash = ledger.recordPlan(Plans.plan("a"));
        assertEquals(Plans.plan("a").hash(), hash);
        assertEquals(Plans.plan("a"), ledger.plan(hash));
        assertEquals(hash, ledger.recordPlan(Plans.plan("a")));
    }

    @Test void a_plan_that_was_altered_is_refused_and_one_that_is_not_there_too() throws Exception {
        String hash = ledger.recordPlan(Plans.plan("a"));
        ledger.recordPlan(Plans.plan("b"));
        try (var other = DriverManager.getConnection("jdbc:sqlite:" + workspace.resolve("ledger.sqlite")); var statement = other.createStatement()) {
            statement.executeUpdate("UPDATE plan SET json = (SELECT json FROM plan WHERE hash <> '" + hash + "') WHERE hash = '" + hash + "'");
        }
        assertEquals("NPF-608", assertThrows(NpuflowException.class, () -> ledger.plan(hash)).id());
        assertEquals("NPF-607", assertThrows(NpuflowException.class, () -> ledger.plan("00")).id());
    }

    @Test void an_attempt_is_a_history_in_order() {
        String before = ledger.recordPlan(Plans.plan("a"));
        String after = ledger.recordPlan(Plans.plan("b"));
        AttemptEvent applied = AttemptEvent.of(AttemptState.APPLIED, "applied", "3 calls").withPlans(before, after).withDetails("{\"calls\":3}");
        AttemptEvent reverted = AttemptEvent.of(AttemptState.REVERTED, "gate_fail", "prompt 0").withPlans(after, before);
        ledger.beginAttempt(run, 1, "merge");
        ledger.recordEvent(run, 1, applied);
        assertFalse(ledger.attempts(run).getFirst().settled());
        ledger.recordEvent(run, 1, reverted);
        assertEquals(List.of(new AttemptRecord(1, "merge", List.of(applied, reverted))), ledger.attempts(run));
        assertTrue(ledger.attempts(run).getFirst().settled());
        assertThrows(IllegalStateException.class, () -> ledger.recordEvent(run, 1, applied));
    }

    @Test void nothing_is_kept_without_a_pass_and_a_measurement_of_that_plan_in_this_run() {
        String plan = ledger.recordPlan(Plans.plan("a"));
        assertThrows(IllegalStateException.class, () -> keep(run, 0, plan));
        ledger.recordVerdict(run, new VerdictRecord(plan, Verdict.PASS, "r.json", "{}"));
        assertThrows(IllegalStateException.class, () -> keep(run, 0, plan));
        ledger.recordMeasurement(run, new Measurement(plan, CONDITIONS, "{}"));
        ledger.recordVerdict(run, new VerdictRecord(plan, Verdict.GATE_FAIL, "r.json", "{}"));
        assertThrows(IllegalStateException.class, () -> keep(run, 0, plan));
        assertThrows(IllegalStateException.class, () -> keep(ledger.beginRun(KEY, new TreeMap<>()), 0, plan));
        assertEquals(Optional.empty(), ledger.lastKeptPlan(KEY));
        ledger.recordVerdict(run, new VerdictRecord(plan, Verdict.PASS, "r.json", "{}"));
        keep(run, 0, plan);
        ledger.setStatus(run, RunStatus.PASS);
        assertEquals(Optional.of(plan), ledger.lastKeptPlan(KEY));
    }

    @Test void a_run_that_is_stopped_or_fails_leaves_the_plan_of_the_run_that_passed_before() {
        keep(run, 0, prove(run, "baseline", Verdict.PASS));
        String fast = prove(run, "fast", Verdict.PASS);
        keep(run, 1, fast);
        assertEquals(Optional.empty(), ledger.lastKeptPlan(KEY), "a run that goes on has not passed");
        ledger.setStatus(run, RunStatus.PASS);
        for (RunStatus end : List.of(RunStatus.INTERRUPTED, RunStatus.FAIL, RunStatus.ERROR, RunStatus.RUNNING)) {
            RunId second = ledger.beginRun(KEY, new TreeMap<>());
            keep(second, 0, prove(second, "baseline", Verdict.PASS));
            ledger.setStatus(second, end);
            assertEquals(Optional.of(fast), ledger.lastKeptPlan(KEY), end.name());
        }
    }

    @Test void a_pass_whose_plan_did_not_pass_in_its_own_run_is_not_believed() {
        String plan = prove(run, "a", Verdict.PASS);
        keep(run, 0, plan);
        ledger.setStatus(run, RunStatus.PASS);
        ledger.recordVerdict(run, new VerdictRecord(plan, Verdict.GATE_FAIL, "report.json", "{}"));
        for (Executable reads : List.<Executable>of(() -> ledger.lastKeptPlan(KEY), () -> ledger.runs(KEY), () -> ledger.lastRun(KEY), () -> ledger.openRun(KEY),
                () -> ledger.run(run), () -> ledger.passedRuns(KEY))) {
            NpuflowException refused = assertThrows(NpuflowException.class, reads);
            assertEquals("NPF-602", refused.id());
            assertTrue(refused.getMessage().contains(plan), refused.getMessage());
        }
    }

    @Test void a_run_cannot_pass_without_a_kept_plan_that_passed() {
        assertThrows(IllegalStateException.class, () -> ledger.setStatus(run, RunStatus.PASS));
        String plan = prove(run, "a", Verdict.PASS);
        assertThrows(IllegalStateException.class, () -> ledger.setStatus(run, RunStatus.PASS));
        keep(run, 0, plan);
        ledger.recordVerdict(run, new VerdictRecord(plan, Verdict.GATE_FAIL, "longer.json", "{}"));
        assertThrows(IllegalStateException.class, () -> ledger.setStatus(run, RunStatus.PASS));
        assertEquals(RunStatus.RUNNING, ledger.run(run).status());
        RunId ablation = ledger.beginRun(KEY.ablation(), new TreeMap<>());
        ledger.setStatus(ablation, RunStatus.PASS);
        assertEquals(RunStatus.PASS, ledger.run(ablation).status(), "an ablation keeps nothing");
    }

    @Test void a_run_whose_process_died_is_interrupted_when_the_next_of_its_key_begins_and_no_other_is() {
        RunId other = ledger.beginRun(KEY.dryRun(), new TreeMap<>());
        RunId next = ledger.beginRun(KEY, new TreeMap<>());
        assertEquals(List.of(RunStatus.INTERRUPTED, RunStatus.RUNNING, RunStatus.RUNNING),
                Stream.of(run, other, next).map(each -> ledger.run(each).status()).toList());
    }

    @Test void a_clock_that_was_set_back_makes_no_time_negative_and_no_run_older() throws Exception {
        ledger.setStatus(run, RunStatus.FAIL);
        sql("UPDATE run_status SET at = '2031-01-01 00:00:00' WHERE id = 1", "UPDATE run_status SET at = '2030-12-31 23:00:00' WHERE id = 2");
        assertEquals(new RunTime("2031-01-01 00:00:00", Optional.of("2030-12-31 23:00:00"), 0), ledger.time(run));
        RunId next = ledger.beginRun(KEY, new TreeMap<>());
        sql("UPDATE run_status SET at = '1999-01-01 00:00:00' WHERE id = 3");
        assertEquals(next, ledger.lastRun(KEY).orElseThrow().id());
        assertEquals(RunStatus.FAIL, ledger.run(run).status());
    }

    private void sql(String... statements) throws SQLException {
        try (var other = DriverManager.getConnection("jdbc:sqlite:" + workspace.resolve("ledger.sqlite")); var statement = other.createStatement()) {
            for (String each : statements) {
                statement.executeUpdate(each);
            }
        }
    }

    @Test void nothing_is_kept_for_a_time_measured_under_other_conditions() {
        String before = prove(run, "a", Verdict.PASS);
        String after = ledger.recordPlan(Plans.plan("b"));
        ledger.recordVerdict(run, new VerdictRecord(after, Verdict.PASS, "r.json", "{}"));
        ledger.recordMeasurement(run, new Measurement(after, new Conditions(7, 2048, 12, "d0", "simulated on npu2", "0.1.0"), "{}"));
        ledger.beginAttempt(run, 1, "stops-early");
        AttemptEvent kept = AttemptEvent.of(AttemptState.KEPT, "faster", "faster").withPlans(before, after);
        NpuflowException refused = assertThrows(NpuflowException.class, () -> ledger.recordEvent(run, 1, kept));
        assertEquals("NPF-609", refused.id());
        assertTrue(refused.getMessage().contains("decoded tokens 32 against 12"), refused.getMessage());
        ledger.recordMeasurement(run, new Measurement(after, CONDITIONS, "{}"));
        ledger.recordEvent(run, 1, kept);
    }

    @Test void the_last_kept_plan_is_the_newest_of_the_same_key() {
        keep(run, 0, prove(run, "a", Verdict.PASS));
        String second = prove(run, "b", Verdict.PASS);
        keep(run, 1, second);
        ledger.setStatus(run, RunStatus.PASS);
        RunKey other = new RunKey("toy", GatedPhase.DECODE, "another device");
        assertEquals(Optional.of(second), ledger.lastKeptPlan(KEY));
        assertEquals(Optional.empty(), ledger.lastKeptPlan(other));
    }

    @Test void verdicts_and_measurements_come_back_as_recorded() {
        String plan = prove(run, "a", Verdict.GATE_FAIL);
        assertEquals(List.of(new VerdictRecord(plan, Verdict.GATE_FAIL, "report.json", "{}")), ledger.verdicts(run, plan));
        assertEquals(List.of(new Measurement(plan, CONDITIONS, "{\"ms_per_token\":1.5}")), ledger.measurements(run, plan));
        assertEquals(List.of(), ledger.measurements(run, ledger.recordPlan(Plans.plan("b"))));
    }

    @Test void an_unfinished_run_is_open_and_a_finished_one_is_not() {
        TreeMap<String, String> options = new TreeMap<>();
        options.put("only", "merge");
        RunId second = ledger.beginRun(KEY, options);
        assertEquals(Optional.of(new Run(second, KEY, options, RunStatus.RUNNING, 2)), ledger.openRun(KEY));
        ledger.setStatus(second, RunStatus.INTERRUPTED);
        assertTrue(ledger.openRun(KEY).isPresent());
        ledger.setStatus(second, RunStatus.FAIL);
        assertEquals(Optional.empty(), ledger.openRun(KEY));
        assertEquals(RunStatus.FAIL, ledger.lastRun(KEY).orElseThrow().status());
    }

    @Test void a_reader_sees_what_is_written_and_does_not_need_the_lock() {
        keep(run, 0, prove(run, "a", Verdict.PASS));
        ledger.setStatus(run, RunStatus.PASS);
        try (Ledger reader = Ledger.openToRead(workspace).orElseThrow()) {
            assertEquals(ledger.lastKeptPlan(KEY), reader.lastKeptPlan(KEY));
        }
    }

    @Test void each_condition_alone_keeps_two_times_from_being_compared() {
        assertEquals(Optional.of("prompt tokens 7 against 8"), CONDITIONS.differenceFrom(new Conditions(8, 2048, 32, "d0", "simulated on npu2", "0.1.0")));
        assertEquals(Optional.of("device d0 against d1"), CONDITIONS.differenceFrom(new Conditions(7, 2048, 32, "d1", "simulated on npu2", "0.1.0")));
        assertEquals(Optional.of("source simulated on npu2 against measured"), CONDITIONS.differenceFrom(new Conditions(7, 2048, 32, "d0", "measured", "0.1.0")));
        assertEquals(Optional.of("build 0.1.0 against 0.2.0"), CONDITIONS.differenceFrom(new Conditions(7, 2048, 32, "d0", "simulated on npu2", "0.2.0")));
        assertEquals(Optional.of("prompt tokens 7 against 8, build 0.1.0 against 0.2.0"),
                CONDITIONS.differenceFrom(new Conditions(8, 2048, 32, "d0", "simulated on npu2", "0.2.0")));
    }

    @Test void a_run_ends_when_its_status_says_so_and_not_while_it_runs() {
        assertEquals(Optional.empty(), ledger.time(run).ended());
        ledger.setStatus(run, RunStatus.ERROR);
        assertTrue(ledger.time(run).ended().isPresent());
        ledger.setStatus(run, RunStatus.RUNNING);
        assertEquals(Optional.empty(), ledger.time(run).ended());
    }

    @Test void each_phase_has_its_number_its_document_and_its_picture() {
        assertEquals(List.of(3, 4, 5), Stream.of(GatedPhase.values()).map(GatedPhase::number).toList());
        assertEquals(List.of("phase3_full.md", "phase4_prefill.md", "phase5_decode.md"), Stream.of(GatedPhase.values()).map(GatedPhase::document).toList());
        assertEquals("phase5_decode.svg", GatedPhase.DECODE.picture());
    }

    @Test void a_reader_of_a_workspace_without_a_ledger_finds_none_and_makes_none() {
        Path empty = workspace.resolve("empty");
        assertEquals(Optional.empty(), Ledger.openToRead(empty));
        assertFalse(Files.exists(empty.resolve("ledger.sqlite")));
    }

    @Test void times_are_compared_only_under_the_same_conditions() {
        assertEquals(Optional.empty(), CONDITIONS.differenceFrom(new Conditions(7, 2048, 32, "d0", "simulated on npu2", "0.1.0")));
        assertEquals(Optional.of("prompt_len 2048 against 7"),
                CONDITIONS.differenceFrom(new Conditions(7, 7, 32, "d0", "simulated on npu2", "0.1.0")));
        assertEquals(Optional.of("decoded tokens 32 against 12"),
                CONDITIONS.differenceFrom(new Conditions(7, 2048, 12, "d0", "simulated on npu2", "0.1.0")));
    }
}
