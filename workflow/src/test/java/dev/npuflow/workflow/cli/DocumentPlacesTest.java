package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.catalog.GuardedSkill;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.ledger.AttemptEvent;
import dev.npuflow.workflow.ledger.AttemptState;
import dev.npuflow.workflow.ledger.Conditions;
import dev.npuflow.workflow.ledger.GatedPhase;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Measurement;
import dev.npuflow.workflow.ledger.Run;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.ledger.RunStatus;
import dev.npuflow.workflow.ledger.VerdictRecord;
import dev.npuflow.workflow.phase.PhaseOptions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// What makes a run an experiment, by its record. The workspace of these tests is itself one thing that is not as usual: the others stand behind it.
class DocumentPlacesTest {

    private static final String ELSEWHERE = "--workspace";
    private static final String LINEAGE = "its start, a plan that an experiment in the phase before left";
    /// No skill module is on the class path here.
    private static final List<String> USUAL = SkillCatalog.load(Optional.empty()).skills().stream().map(LoadedSkill::name).toList();

    @TempDir Path workspace;
    private OpenedDeployment opened;
    private Ledger ledger;

    @BeforeEach void open() {
        opened = open("--workspace", workspace.toString());
        ledger = Ledger.open(workspace);
    }

    private static OpenedDeployment open(String... more) {
        DeploymentOptions options = new DeploymentOptions();
        List<String> arguments = new ArrayList<>(List.of("tiny_kjv"));
        arguments.addAll(List.of(more));
        new CommandLine(CommandLine.Model.CommandSpec.create().addMixin("options", CommandLine.Model.CommandSpec.forAnnotatedObject(options)))
                .parseArgs(arguments.toArray(String[]::new));
        return OpenedDeployment.open(options, options.progress(new PrintWriter(new StringWriter()), 0));
    }

    @AfterEach void close() {
        ledger.close();
        opened.close();
    }

    private List<String> departures(Run run) {
        return new DocumentPlaces(opened, ledger).of(run, List.of()).departures();
    }

    /// A run that passed, from one plan to another.
    private Run run(GatedPhase phase, Deployment start, Deployment left, Map<String, String> changed) {
        PhaseOptions options = new PhaseOptions(phase == GatedPhase.FULL_MODEL ? List.of() : USUAL, new TreeMap<>(), true, false, opened.prompts().phaseGate(),
                phase == GatedPhase.DECODE ? 32 : 1, GuardedSkill.USUAL_LIMIT);
        TreeMap<String, String> described = new TreeMap<>(RunDescription.of(options, opened.prompts(), Optional.empty()));
        described.putAll(changed);
        RunId run = ledger.beginRun(opened.runKey(phase), described);
        ledger.recordPlan(left);
        ledger.beginAttempt(run, 0, "baseline");
        ledger.recordEvent(run, 0, AttemptEvent.of(AttemptState.APPLIED, "applied", "").withDetails(CanonicalJson.write(ledger.recordPlan(start))));
        ledger.beginAttempt(run, 1, "a-skill");
        ledger.recordEvent(run, 1, AttemptEvent.of(AttemptState.SKIPPED, "settled", "").withPlans(start.hash(), left.hash()));
        ledger.recordVerdict(run, new VerdictRecord(left.hash(), Verdict.PASS, "report.json", "{}"));
        ledger.recordMeasurement(run, new Measurement(left.hash(), new Conditions(7, 2048, 32, "d0", "simulated", "a build"), "{}"));
        ledger.beginAttempt(run, 2, "another-skill");
        ledger.recordEvent(run, 2, AttemptEvent.of(AttemptState.KEPT, "faster", "").withPlans(left.hash(), left.hash()));
        ledger.setStatus(run, RunStatus.PASS);
        return ledger.run(run);
    }

    private Run run(GatedPhase phase, Map<String, String> changed) {
        return run(phase, opened.target().baseline(), opened.target().baseline(), changed);
    }

    @Test void a_run_with_every_default_departs_from_nothing() {
        for (GatedPhase phase : GatedPhase.values()) {
            assertEquals(List.of(ELSEWHERE), departures(run(phase, Map.of())), phase.name());
        }
    }

    @Test void each_option_that_changes_a_run_makes_it_an_experiment() {
        run(GatedPhase.FULL_MODEL, Map.of());
        run(GatedPhase.PREFILL, Map.of());
        Map<Map<String, String>, String> told = Map.of(
                Map.of("skills", "opt-of-a-stranger"), "--skills-dir",
                Map.of("skill_options", "{\"conservative\":\"on\"}"), "--skill-option or --conservative",
                Map.of("self_check", "false"), "--self-check",
                Map.of("prompts", "99"), "--full",
                Map.of("gate_file", "/a/b.json"), "--gate-file");
        told.forEach((changed, option) -> assertEquals(List.of(ELSEWHERE, option), departures(run(GatedPhase.DECODE, changed))));
        assertEquals(List.of(ELSEWHERE, "--full"), departures(run(GatedPhase.FULL_MODEL, Map.of("prompts", "99"))));
        assertEquals(List.of(ELSEWHERE), departures(run(GatedPhase.FULL_MODEL, Map.of("self_check", "false"))), "Phase 3 has no self-check");
    }

    @Test void skills_in_another_order_fewer_or_a_strangers_are_told_apart() {
        List<String> usual = List.of("a", "b");
        assertEquals("--order", RunDescription.choice(usual, List.of("b", "a")));
        assertEquals("--only", RunDescription.choice(usual, List.of("b")));
        assertEquals("--skills-dir", RunDescription.choice(usual, List.of("a", "b", "c")));
    }

    @Test void a_run_that_starts_from_the_plan_of_an_experiment_is_one_and_of_a_usual_run_is_none() {
        Deployment baseline = opened.target().baseline();
        Deployment other = new Deployment(baseline.model(), baseline.device(), baseline.decode(), baseline.decode());
        run(GatedPhase.FULL_MODEL, Map.of());
        run(GatedPhase.PREFILL, baseline, other, Map.of("self_check", "false"));
        assertEquals(List.of(ELSEWHERE, LINEAGE), departures(run(GatedPhase.DECODE, other, other, Map.of())));
        run(GatedPhase.PREFILL, baseline, other, Map.of());
        assertEquals(List.of(ELSEWHERE), departures(run(GatedPhase.DECODE, other, other, Map.of())));
    }

    @Test void weights_and_devices_of_the_command_make_experiments_and_the_usual_device_by_name_does_not() {
        Run usual = run(GatedPhase.FULL_MODEL, Map.of());
        Map<List<String>, List<String>> told = Map.of(
                List.of("--weights", opened.model().directory().toString()), List.of(ELSEWHERE, "--weights"),
                List.of("--set", "dram.read_gbps=20"), List.of(ELSEWHERE, "--device or --set"),
                List.of("--device", "npu2"), List.of(ELSEWHERE));
        told.forEach((options, departures) -> {
            try (OpenedDeployment changed = open("--workspace", workspace.toString(), options.get(0), options.get(1))) {
                DocumentPlaces.Place place = new DocumentPlaces(changed, ledger).of(usual, List.of());
                assertEquals(departures, place.departures());
                assertEquals(workspace.resolve("documents/tiny_kjv"), place.folder());
                assertFalse(place.inTree());
            }
        });
    }

    @Test void an_ablation_of_other_skills_or_options_than_its_phase_5_departs_from_it() {
        Run phase5 = run(GatedPhase.DECODE, Map.of());
        List<String> kept = List.of("a", "b");
        assertEquals(List.of(), RunDescription.departures(phase5, kept, new TreeMap<>(Map.of("skills", "a,b"))));
        assertEquals(List.of(), RunDescription.departures(phase5, kept, new TreeMap<>(Map.of("skills", "a,b", "skill_options", "{}"))));
        assertEquals(List.of("--skills"), RunDescription.departures(phase5, kept, new TreeMap<>(Map.of("skills", "b,a"))));
        assertEquals(List.of("--skill-option or --conservative"),
                RunDescription.departures(phase5, kept, new TreeMap<>(Map.of("skills", "a,b", "skill_options", "{\"b2\":\"off\"}"))));
    }
}
