package dev.npuflow.workflow.phase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.report.DebugEntry;
import dev.npuflow.workflow.report.Outcome;
import dev.npuflow.workflow.report.PhaseDocument;
import dev.npuflow.workflow.report.SkillReport;
import dev.npuflow.workflow.report.TimeChart.Bar;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a document is made of: a phase with a kept skill, a wrong one and one that does not compile, read back from the ledger.
class RecordedPhaseTest {

    @TempDir private Path workspace;
    @AutoClose private LoopBench bench;
    private RecordedPhase recorded;

    @BeforeEach void run() {
        bench = new LoopBench(workspace);
        bench.run(new ScriptedTarget().takes("start", 10).takes("fast", 8).takes("wrong", 1).failsTheSelfCheck("wrong", "layer 0 differs").compiles("large", false),
                "fast", "wrong", "large");
        recorded = new RecordedPhase(bench.ledger, bench.run);
    }

    private List<SkillReport> skills() {
        PhaseDocument document = recorded.document(Phase.DECODE, "PASS", List.of());
        return document.skills();
    }

    @Test void it_knows_where_the_run_began_and_where_it_ended() {
        assertEquals(ScriptedTarget.plan("start").hash(), recorded.startPlan());
        assertEquals(ScriptedTarget.plan("fast").hash(), recorded.lastPlan());
        assertEquals(ScriptedTarget.plan("start").hash(), recorded.start().plan());
    }

    @Test void it_counts_the_settled_skills_and_names_the_kept_ones() {
        assertEquals(3, recorded.settledSkills());
        assertEquals(List.of("fast"), recorded.keptSkills());
    }

    @Test void it_sums_what_the_device_would_have_taken() {
        assertEquals(10 / 1e3 + 8 / 1e3 + 8 / 1e3, recorded.measuredSeconds(), 1e-12);
    }

    @Test void its_chart_has_a_bar_for_the_baseline_and_each_kept_plan_alone() {
        assertEquals(List.of("baseline", "+ fast"), recorded.chart(Phase.DECODE).bars().stream().map(Bar::label).toList());
    }

    @Test void its_debug_log_has_the_wrong_skill_alone_with_the_proof_of_its_revert() {
        List<DebugEntry> entries = recorded.debugEntries();
        assertEquals(List.of("wrong"), entries.stream().map(DebugEntry::skill).toList());
        assertEquals(ScriptedTarget.plan("wrong").hash(), entries.getFirst().plan());
        assertEquals("plan %s is back, 8.0000 ms as before".formatted(ScriptedTarget.plan("fast").hash()), entries.getFirst().evidence());
        assertFalse(entries.getFirst().found().isEmpty());
    }

    @Test void its_document_has_each_skill_with_outcome_plans_and_evidence() {
        assertEquals(List.of(Outcome.APPLIED, Outcome.REVERTED, Outcome.SKIPPED), skills().stream().map(SkillReport::outcome).toList());
        assertEquals(ScriptedTarget.plan("wrong").hash(), skills().get(1).planAfter());
        assertEquals(List.of("self-check: layer 0 differs", "reverted: plan `%s` from the ledger, compiled and measured again: 8.0000 ms".formatted(ScriptedTarget.plan("fast").hash())),
                skills().get(1).evidence());
        assertEquals(List.of("self-check: equal to the plan before", "gate: PASS"), skills().get(0).evidence());
    }
}
