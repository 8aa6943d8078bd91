package dev.npuflow.workflow.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KilledLedgerTest {

    private static final RunKey KEY = new RunKey("toy", GatedPhase.DECODE, "d0");

    /// Writes for ever, and says what it has written.
    static final class Writer {

        private Writer() {}

        public static void main(String[] arguments) {
            try (Ledger ledger = Ledger.open(Path.of(arguments[0]))) {
                RunId run = ledger.beginRun(KEY, new TreeMap<>());
                ledger.beginAttempt(run, 1, "merge");
                for (int i = 0;; i++) {
                    String plan = ledger.recordPlan(Plans.plan("plan " + i));
                    ledger.recordEvent(run, 1, AttemptEvent.of(AttemptState.APPLIED, "applied", "try " + i).withPlans(plan, plan));
                    System.out.println(i);
                }
            }
        }
    }

    @Test void a_killed_writer_blocks_nobody_and_loses_nothing_it_said_it_had_written(@TempDir Path workspace) throws Exception {
        Process writer = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "--enable-native-access=ALL-UNNAMED",
                "-cp", System.getProperty("java.class.path"), Writer.class.getName(), workspace.toString()).redirectErrorStream(true).start();
        try (var said = writer.inputReader()) {
            String last = said.readLine();
            while (!"25".equals(last)) {
                last = java.util.Objects.requireNonNull(said.readLine(), "the writer ended");
            }
            NpuflowException refused = assertThrows(NpuflowException.class, () -> Ledger.open(workspace));
            assertTrue(refused.getMessage().contains("held by process " + writer.pid()), refused.getMessage());
        } finally {
            writer.destroyForcibly().waitFor();
        }
        try (Ledger ledger = Ledger.open(workspace)) {
            Run open = ledger.openRun(KEY).orElseThrow();
            assertEquals(RunStatus.RUNNING, open.status());
            List<AttemptEvent> events = ledger.attempts(open.id()).getFirst().events();
            assertTrue(events.size() > 25);
            for (int i = 0; i < events.size(); i++) {
                assertEquals(Plans.plan("plan " + i), ledger.plan(events.get(i).planAfter().orElseThrow()));
            }
            RunId next = ledger.beginRun(KEY, new TreeMap<>());
            assertEquals(next, ledger.openRun(KEY).orElseThrow().id());
        }
    }
}
