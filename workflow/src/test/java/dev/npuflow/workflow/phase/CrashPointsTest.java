package dev.npuflow.workflow.phase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Run;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.ledger.RunKey;
import dev.npuflow.workflow.ledger.RunStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/// Every write into the ledger is a point at which a run may end: from the n-th record on the database itself refuses to write, for every n of a run. What follows
/// ends as a run that was never ended, and no PASS was told that did not happen.
class CrashPointsTest {

    private static final RunKey KEY = new RunKey("toy", GatedPhase.DECODE, "d0");
    private static final List<LoadedSkill> SKILLS = List.of(LoopBench.making("fast"), LoopBench.making("wrong"), LoopBench.making("slow"), LoopBench.making("faster"));

    @TempDir(factory = InMemory.class) private Path folder;

    /// Thousands of transactions wait for a disk longer than for anything else.
    static final class InMemory implements TempDirFactory {

        @Override public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context) throws IOException {
            Path memory = Path.of("/dev/shm");
            return Files.isWritable(memory) ? Files.createTempDirectory(memory, "npuflow") : Files.createTempDirectory("npuflow");
        }
    }

    private static ScriptedTarget target() {
        return new ScriptedTarget().takes("start", 10).takes("fast", 8).takes("wrong", 1).takes("slow", 9).takes("faster", 6).judges("wrong", Verdict.GATE_FAIL)
                .judgesLonger("faster", Verdict.PASS);
    }

    /// Goes on with the open run, or begins one.
    private static String run(Ledger ledger) {
        Optional<Run> open = ledger.openRun(KEY);
        open.ifPresent(run -> ledger.setStatus(run.id(), RunStatus.RUNNING));
        RunId run = open.map(Run::id).orElseGet(() -> ledger.beginRun(KEY, new TreeMap<>()));
        PhaseJournal journal = new PhaseJournal(ledger, run, "d0", PhaseProgress.SILENT, (String plan, GateResult gate) -> "report.json");
        PhaseOptions options = new PhaseOptions(List.of(), new TreeMap<>(), true, false, 1, 1, Duration.ofSeconds(60));
        PhaseResult result = new PhaseLoop(target(), PhaseDescription.DECODE, options, LoopBench.PROMPT, journal).run(ScriptedTarget.plan("start"), SKILLS);
        assertEquals(PhaseResult.Status.PASS, result.status(), result.reason());
        ledger.setStatus(run, RunStatus.PASS);
        return new RecordedPhase(ledger, run).document(Phase.DECODE, result.status().name(), List.of()).render();
    }

    private static void sql(Path workspace, String statement) throws SQLException {
        try (var connection = DriverManager.getConnection("jdbc:sqlite:" + workspace.resolve("ledger.sqlite")); var executed = connection.createStatement()) {
            executed.executeUpdate(statement);
        }
    }

    @Test void a_run_that_ends_at_any_record_goes_on_to_the_same_document_and_passes_once() throws SQLException {
        String whole;
        long records;
        try (Ledger ledger = Ledger.open(folder.resolve("whole"))) {
            whole = run(ledger);
            records = ledger.audit(Optional.empty()).records();
        }
        assertTrue(records > 30, () -> records + " records");
        assertTrue(whole.contains("fast") && whole.contains("wrong") && whole.contains("faster"), whole);
        for (long point = 1; point <= records; point++) {
            Path workspace = folder.resolve("ended" + point);
            Ledger.open(workspace).close();
            sql(workspace, "CREATE TRIGGER ends BEFORE INSERT ON chain WHEN NEW.number >= " + point + " BEGIN SELECT RAISE(ROLLBACK, 'the process ends'); END");
            try (Ledger ledger = Ledger.open(workspace)) {
                assertEquals("NPF-603", assertThrows(NpuflowException.class, () -> run(ledger)).id());
                long left = ledger.audit(Optional.empty()).records();
                assertTrue(left == point - 1 || left == point - 2, "a run begins with two records or none: " + left + " before record " + point);
                assertTrue(ledger.history().stream().noneMatch(run -> run.status() == RunStatus.PASS), "ended at record " + point);
            }
            sql(workspace, "DROP TRIGGER ends");
            try (Ledger ledger = Ledger.open(workspace)) {
                assertEquals(List.of(), ledger.audit(Optional.empty()).findings(), "ended at record " + point);
                assertEquals(whole, run(ledger), "ended at record " + point);
                assertEquals(List.of(RunStatus.PASS), ledger.history().stream().map(Run::status).toList());
                assertEquals(List.of(), ledger.audit(Optional.empty()).findings());
            }
        }
    }
}
