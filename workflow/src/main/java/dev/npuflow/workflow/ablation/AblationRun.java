package dev.npuflow.workflow.ablation;

import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.ablation.SkillSet.Made;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.ledger.AttemptEvent;
import dev.npuflow.workflow.ledger.AttemptState;
import dev.npuflow.workflow.ledger.Conditions;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.Measurement;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.ledger.RunKey;
import dev.npuflow.workflow.ledger.RunStatus;
import dev.npuflow.workflow.ledger.VerdictRecord;
import dev.npuflow.workflow.measurement.Target;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.phase.PhaseOptions;
import dev.npuflow.workflow.phase.PhaseProgress;
import dev.npuflow.workflow.provenance.Build;
import dev.npuflow.workflow.report.GateSummary;
import dev.npuflow.workflow.report.ProfileSummary;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

/// Measures every set of an ablation in decode, each verified as in Phase 5, and records it. Keeps nothing: the plan in force stays what it was.
public final class AblationRun {

    private final Target target;
    private final Ledger ledger;
    private final RunKey phase5;
    private final PhaseOptions options;
    private final Prompt prompt;
    private final PhaseProgress progress;
    private volatile String current = "";

    /// @param phase5  the key of the model's Phase 5
    /// @param options of its skills, prompts and tokens
    public AblationRun(Target target, Ledger ledger, RunKey phase5, PhaseOptions options, Prompt prompt, PhaseProgress progress) {
        this.target = target;
        this.ledger = ledger;
        this.phase5 = phase5;
        this.options = options;
        this.prompt = prompt;
        this.progress = progress;
    }

    /// Its runs stand beside those of the phases in the ledger and are no phase: nothing resumes them and they keep no plan.
    static RunKey key(RunKey phase5) {
        return phase5.ablation();
    }

    /// The last ablation that was finished on this baseline.
    ///
    /// @param baseline hash
    /// @param asked    what its options have to be
    public static Optional<Ablation> recorded(Ledger ledger, RunKey phase5, String baseline, Predicate<SortedMap<String, String>> asked) {
        return ledger.runs(key(phase5)).stream().filter(run -> run.status() == RunStatus.PASS && asked.test(run.options())).map(run -> {
            List<AblationRow> rows = ledger.attempts(run.id()).stream().map(attempt ->
                    attempt.events().stream().reduce((_, later) -> later).map(last -> ledger.read(last.details(), AblationRow.class))
                            .orElseThrow(() -> ledger.lacks("a row of an ablation"))).toList();
            return new Ablation(rows.isEmpty() ? List.of() : rows.getLast().skills(), rows);
        }).filter(ablation -> !ablation.rows().isEmpty() && ablation.rows().getFirst().plan().equals(Optional.of(baseline))).findFirst();
    }

    /// @param described the options as the ledger is to hold them
    public RunId begin(SortedMap<String, String> described) {
        return ledger.beginRun(key(phase5), described);
    }

    /// The set that is being measured, such as `a + b`; empty before the first. Any thread may ask.
    public String current() {
        return current;
    }

    /// @param run that was begun for it
    public Ablation run(RunId run, Deployment baseline, List<LoadedSkill> skills) {
        List<String> names = skills.stream().map(LoadedSkill::name).toList();
        try {
            Ablation ablation = new Ablation(names, rows(run, baseline, skills, Ablation.sets(names)));
            ledger.setStatus(run, RunStatus.PASS);
            return ablation;
        } catch (RuntimeException | Error e) {
            ledger.endedBy(run, e);
            throw e;
        }
    }

    private List<AblationRow> rows(RunId run, Deployment baseline, List<LoadedSkill> skills, List<List<String>> sets) {
        Map<String, AblationRow> measured = new TreeMap<>();
        List<AblationRow> rows = new ArrayList<>();
        for (List<String> set : sets) {
            current = set.isEmpty() ? "baseline" : String.join(" + ", set);
            progress.step(rows.size() + 1, sets.size(), current);
            AblationRow row = row(run, baseline, set, skills.stream().filter(skill -> set.contains(skill.name())).toList(), measured);
            ledger.beginAttempt(run, rows.size(), row.label());
            ledger.recordEvent(run, rows.size(), AttemptEvent.of(AttemptState.SKIPPED, "ablation", "measured to compare; nothing is kept")
                    .withDetails(CanonicalJson.write(row)));
            rows.add(row);
        }
        return rows;
    }

    private AblationRow row(RunId run, Deployment baseline, List<String> set, List<LoadedSkill> skills, Map<String, AblationRow> measured) {
        return switch (new SkillSet(target.bench(options.skillOptions(), options.skillLimit()), Phase.DECODE).apply(baseline, skills)) {
            case Made.Nothing(String reason) -> new AblationRow(set, Optional.empty(), OptionalDouble.empty(), AblationRow.NOT_MADE, reason);
            case Made.Plan(Deployment plan, List<String> remarks) -> {
                AblationRow same = measured.computeIfAbsent(plan.hash(), _ -> measure(run, plan));
                String reason = remarks.isEmpty() ? same.reason() : String.join("; ", remarks);
                yield new AblationRow(set, same.plan(), same.milliseconds(), same.verdict(), reason);
            }
        };
    }

    private AblationRow measure(RunId run, Deployment plan) {
        ledger.recordPlan(plan);
        progress.stage("verifying");
        GateResult gate = target.verify(plan, options.prompts());
        ledger.recordVerdict(run, new VerdictRecord(plan.hash(), gate.verdict(), "", GateSummary.of(gate).toJson()));
        progress.stage("measuring");
        ProfileSummary profile = ProfileSummary.of(target.profile(plan, prompt, options.tokens(), true));
        Conditions conditions = new Conditions(profile.promptTokens(), profile.paddedPrompt(), profile.decodeTokens(), phase5.device(),
                profile.source(), Build.identity());
        ledger.recordMeasurement(run, new Measurement(plan.hash(), conditions, profile.toJson()));
        return new AblationRow(List.of(), Optional.of(plan.hash()), profile.millisecondsPerToken(), gate.verdict().name(),
                gate.reason());
    }
}
