package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Run;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.ledger.RunStatus;
import dev.npuflow.workflow.phase.RecordedPhase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a phase was judged by belongs to its result.
class ProvenanceTest {

    @TempDir Path folder;

    @Test void a_phase_that_passed_on_other_prompts_is_not_built_on() throws IOException {
        Path model = SmallModel.copyTo(folder.resolve("models").resolve("small"));
        assertEquals(0, run("phase3", model).exitCode());
        CommandRun same = run("phase4", model, "--no-prerequisites");
        assertTrue(same.exitCode() < 2, same.err());
        Files.writeString(model.resolve("prompts.txt"), "in the end\n");
        CommandRun other = run("phase4", model, "--no-prerequisites");
        assertEquals(2, other.exitCode(), other.err());
        assertTrue(other.err().contains("NPF-813") && other.err().contains("passed, but on other prompts"), other.err());
    }

    @Test void nor_is_one_that_passed_against_recorded_tokens() throws IOException {
        Path model = SmallModel.copyTo(folder.resolve("models").resolve("small"));
        Path tokens = folder.resolve("tokens.json");
        assertEquals(0, run("phase3", model).exitCode());
        StringBuilder chosen = new StringBuilder();
        StringBuilder topK = new StringBuilder();
        CommandRun generated = CommandRun.of("generate", model.toString(), "--engine", "reference", "--prompt", "in the beginning", "-n", "32", "--ignore-eos", "--json",
                "--workspace", folder.resolve("workspace").toString());
        assertEquals(0, generated.exitCode(), generated.err());
        generated.json().get("ids").forEach(id -> chosen.append(chosen.isEmpty() ? "" : ",").append(id.asInt()));
        generated.json().get("top5").forEach(best -> topK.append(topK.isEmpty() ? "" : ",").append(best));
        Files.writeString(tokens, "{\"0\":{\"chosen\":[%s],\"topk\":[%s]}}".formatted(chosen, topK));
        CommandRun recorded = run("phase4", model, "--no-prerequisites", "--gate-file", tokens.toString());
        assertEquals(2, recorded.exitCode(), recorded.err());
        assertTrue(recorded.err().contains("another gate file"), recorded.err());
    }

    /// A run that is stopped has kept its baseline, and nothing else.
    @Test void a_second_run_that_was_stopped_leaves_profile_and_later_phases_on_what_passed_before() throws Exception {
        Path model = SmallModel.copyTo(folder.resolve("models").resolve("small"));
        assertEquals(0, run("phase5", model).exitCode());
        String kept = run("profile", model, "--json").json().get("plan").asString();
        assertNotEquals(kept, run("profile", model, "--json", "--plan", "baseline").json().get("plan").asString());
        stopAgain(GatedPhase.FULL_MODEL);
        stopAgain(GatedPhase.PREFILL);
        stopAgain(GatedPhase.DECODE);
        assertEquals(kept, run("profile", model, "--json").json().get("plan").asString());
        CommandRun again = run("phase5", model, "--no-prerequisites");
        assertEquals(0, again.exitCode(), again.err());
    }

    /// As a second run of this phase leaves the ledger that is stopped when it has judged its baseline.
    private void stopAgain(GatedPhase phase) {
        try (Ledger ledger = Ledger.open(folder.resolve("workspace"))) {
            Run passed = ledger.history().stream().filter(run -> run.key().phase() == phase && run.status() == RunStatus.PASS).findFirst().orElseThrow();
            RunId again = ledger.beginRun(passed.key(), passed.options());
            String start = new RecordedPhase(ledger, passed.id()).startPlan();
            ledger.beginAttempt(again, 0, "baseline");
            ledger.verdicts(passed.id(), start).forEach(verdict -> ledger.recordVerdict(again, verdict));
            ledger.measurements(passed.id(), start).forEach(measured -> ledger.recordMeasurement(again, measured));
            ledger.attempts(passed.id()).getFirst().events().forEach(event -> ledger.recordEvent(again, 0, event));
            ledger.setStatus(again, RunStatus.INTERRUPTED);
        }
    }

    private CommandRun run(String phase, Path model, String... more) {
        return CommandRun.of(Stream.concat(Stream.of(phase, model.toString(), "--workspace", folder.resolve("workspace").toString()),
                Stream.of(more)).toArray(String[]::new));
    }
}
