package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Deployment;
import dev.npuflow.skill.Skill;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.lens.Localization;
import dev.npuflow.workflow.lens.Localizer;
import dev.npuflow.workflow.phase.PhaseDescription;
import dev.npuflow.workflow.phase.PhaseJournal;
import dev.npuflow.workflow.phase.PhaseJournal.GateReports;
import dev.npuflow.workflow.phase.PhaseLoop;
import dev.npuflow.workflow.phase.PhaseProgress;
import dev.npuflow.workflow.phase.RecordedPhase;
import dev.npuflow.workflow.report.DebugEntry;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// A skill that is reverted for a wrong plan leaves in the ledger where and why it was wrong.
class RevertIsExplainedTest {

    @TempDir Path workspace;

    @Test void the_ledger_holds_what_the_debug_log_says() {
        try (TinyKjv tiny = TinyKjv.open(workspace)) {
            List<DebugEntry> entries = reverted(tiny, BadSkills.staticWeightsUnderOneKey());
            assertEquals(1, entries.size());
            String text = String.join("\n", entries.getFirst().found());
            assertTrue(text.contains("decode step 1, position ") && text.contains("layer 1, normed"), text);
            assertTrue(text.contains("Hypothesis 3, cross-layer alias: where model.layers.1.input_layernorm.weight should be, the device holds"
                    + " model.layers.0.input_layernorm.weight"), text);
            assertTrue(text.contains("Fix: give the call a buffer-object key per layer"), text);
            assertTrue(entries.getFirst().failing().startsWith("self-check: "), entries.getFirst()::failing);
        }
    }

    @Test void a_skill_that_was_only_slow_is_not_in_it() {
        try (TinyKjv tiny = TinyKjv.open(workspace)) {
            assertEquals(List.of(), reverted(tiny, BadSkills.withoutPingPong()));
        }
    }

    @Test void the_command_localizes_a_plan_of_the_ledger() {
        try (TinyKjv tiny = TinyKjv.open(workspace)) {
            String plan = reverted(tiny, BadSkills.ropeTableMarkedStatic()).getFirst().plan();
            String[] command = {"localize", TinyKjv.directory().toString(), "--workspace", workspace.toString(), "--steps", "4", "--json", "--plan"};
            CommandRun run = CommandRun.of(append(command, plan));
            assertEquals(0, run.exitCode(), run.err());
            JsonNode fault = run.json().get("fault");
            assertTrue(run.json().get("found").asBoolean());
            assertEquals("stale_static", fault.get("hypothesis").asString());
            assertEquals("rope_q", fault.get("argument").asString());
            assertEquals("decode rope_q/rope_q, one for all layers", fault.get("buffer_object").asString());
            assertTrue(fault.get("difference").asDouble() > fault.get("noise").asDouble());
            JsonNode correct = CommandRun.of(append(command, "baseline")).json();
            assertTrue(!correct.get("found").asBoolean() && correct.get("fault").isNull(), correct::toString);
        }
    }

    private static String[] append(String[] command, String last) {
        String[] whole = java.util.Arrays.copyOf(command, command.length + 1);
        whole[command.length] = last;
        return whole;
    }

    private List<DebugEntry> reverted(TinyKjv tiny, Skill skill) {
        GateReports reports = new GateReports() {
            @Override public String write(String plan, GateResult gate) {
                return "";
            }

            @Override public Optional<Localization> localize(Deployment wrong) {
                return Optional.of(new Localizer(tiny.model, tiny.target::open, workspace.resolve("cache"))
                        .localize(wrong, tiny.prompts.gate().subList(0, 1), 4));
            }
        };
        try (Ledger ledger = Ledger.open(workspace)) {
            RunId run = ledger.beginRun(tiny.key(), new TreeMap<>());
            PhaseJournal journal = new PhaseJournal(ledger, run, tiny.key().device(), PhaseProgress.SILENT, reports);
            new PhaseLoop(tiny.target, PhaseDescription.DECODE, TinyKjv.options(true, 1), tiny.prompts.canonical(), journal)
                    .run(tiny.target.baseline(), SkillCatalog.of(List.of(skill)).skills());
            return new RecordedPhase(ledger, run).debugEntries();
        }
    }
}
