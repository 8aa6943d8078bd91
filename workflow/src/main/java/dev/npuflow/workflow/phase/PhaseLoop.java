package dev.npuflow.workflow.phase;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.decision.Decision;
import dev.npuflow.workflow.decision.DecisionFigures;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.measurement.Target;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.phase.Experiment.Tried;
import dev.npuflow.workflow.phase.PhaseDescription.Beside;
import dev.npuflow.workflow.phase.PhaseResult.Status;
import dev.npuflow.workflow.phase.PlanTimer.Compared;
import dev.npuflow.workflow.phase.SkillRecord.Revert;
import dev.npuflow.workflow.report.GateSummary;
import dev.npuflow.workflow.report.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// A phase: baseline, then one experiment a skill, keep or revert, final gate. Nothing is kept that was not measured faster and verified correct.
public final class PhaseLoop {

    /// Name of the attempt that a run begins with.
    static final String BASELINE = "baseline";

    /// Name of the attempt that the final plan is compared with the baseline in, on a target that varies. It is never settled: it keeps nothing.
    static final String OVERALL = "overall";

    private final Target target;
    private final PhaseDescription description;
    private final PhaseOptions options;
    private final PhaseJournal journal;
    private final PlanTimer timer;

    public PhaseLoop(Target target, PhaseDescription description, PhaseOptions options, Prompt prompt, PhaseJournal journal) {
        this.target = target;
        this.description = description;
        this.options = options;
        this.journal = journal;
        this.timer = new PlanTimer(target, description, options, prompt, journal);
    }

    /// @param start the plan that the phase starts from
    public PhaseResult run(Deployment start, List<LoadedSkill> skills) {
        int steps = skills.size() + (options.dryRun() ? 1 : 2);
        journal.begin(BASELINE);
        journal.step(1, steps, BASELINE);
        journal.made(start);
        FullModelPhase.requireCompiled(target, start);
        PhaseState baseline = timer.baseline(start);
        GateSummary gate = judged(start);
        if (gate.verdict() != Verdict.PASS) {
            return result(gate, "the baseline does not pass the gate: " + gate.reason(), baseline, baseline, List.of());
        }
        journal.settleBaseline(start.hash());
        PhaseState current = baseline;
        List<SkillRecord> records = new ArrayList<>();
        for (LoadedSkill skill : skills) {
            journal.begin(skill.name());
            journal.step(records.size() + 2, steps, skill.name());
            Optional<SkillRecord> settled = journal.settledBefore(skill.name());
            Tried tried = settled.isPresent() ? replay(settled.get(), current) : experiment(skill, current);
            current = tried.holds();
            records.add(tried.skill());
        }
        if (!options.dryRun()) {
            journal.step(steps, steps, "the final gate");
        }
        return conclude(baseline, current, gate, records);
    }

    private Tried experiment(LoadedSkill skill, PhaseState current) {
        Tried tried = new Experiment(target, description, options, timer, journal).run(skill, current);
        if (tried.mustRevert()) {
            journal.localize(tried.skill());
            PhaseState restored = restore(skill.name(), tried.before());
            Revert proof = new Revert(restored.deployment().hash(), restored.milliseconds());
            tried = new Tried(tried.skill().withRevert(proof), restored, Optional.empty());
        }
        journal.settle(tried.skill(), tried.holds().deployment().hash());
        return tried;
    }

    /// What an interrupted run had already settled, taken from the ledger.
    private Tried replay(SkillRecord settled, PhaseState current) {
        if (!settled.planBefore().equals(current.deployment().hash())) {
            throw NpuflowException.badInput("NPF-523", "--resume", "%s was tried on plan %s".formatted(settled.skill(), settled.planBefore()),
                    "the plan that holds now, %s".formatted(current.deployment().hash()), "the options of the interrupted run, or leaving --resume out");
        }
        if (settled.outcome() != Outcome.APPLIED) {
            return new Tried(settled, current, Optional.empty());
        }
        Deployment kept = journal.load(settled.planAfter().orElseThrow());
        return new Tried(settled, current, Optional.of(timer.measured(kept)));
    }

    /// The plan before, as the ledger gives it back: hashed, compiled and measured again, and the same as it was.
    private PhaseState restore(String skill, PhaseState before) {
        journal.stage("reverting");
        Deployment restored = journal.load(before.deployment().hash());
        if (!restored.hash().equals(before.deployment().hash()) || !target.compile(restored).isEmpty()) {
            throw NpuflowException.environment("NPF-521", "revert of %s".formatted(skill), "plan %s".formatted(restored.hash()),
                    "the plan before, %s, and that it compiles".formatted(before.deployment().hash()), "a new workspace");
        }
        return timer.restored(skill, before, restored);
    }

    private PhaseResult conclude(PhaseState baseline, PhaseState current, GateSummary baselineGate, List<SkillRecord> records) {
        if (options.dryRun()) {
            return new PhaseResult(description.gated(), description.figure(), Status.PASS, "dry run: nothing was kept", baseline, current, baselineGate, records, Optional.empty());
        }
        GateSummary gate = judged(current.deployment());
        if (gate.verdict() != Verdict.PASS) {
            return result(gate, "the final plan does not pass the gate: " + gate.reason(), baseline, current, records);
        }
        Optional<GateSummary> longer = judgedLonger(current.deployment());
        if (longer.isPresent() && longer.get().verdict() != Verdict.PASS) {
            return result(longer.get(), "the final plan does not pass the longer check: " + longer.get().reason(), baseline, current, records);
        }
        Phase other = description.optimizes() == Phase.DECODE ? Phase.PREFILL : Phase.DECODE;
        if (!baseline.deployment().phase(other).equals(current.deployment().phase(other))) {
            return new PhaseResult(description.gated(), description.figure(), Status.FAIL, "the %s plan changed".formatted(other.name().toLowerCase(Locale.ROOT)),
                    baseline, current, gate, records, Optional.empty());
        }
        Compared overall = timer.overall(baseline, current);
        boolean faster = overall.decision() instanceof Decision.Kept;
        boolean besideFell = overall.beside().map(decision -> decision instanceof Decision.Kept).orElse(true);
        String said = !faster ? "not faster than the baseline" : besideFell ? "faster than the baseline"
                : "faster than the baseline, but not " + description.beside().map(Beside::name).orElseThrow();
        String figures = String.format(Locale.ROOT, "%.3f → %.3f %s", overall.before().milliseconds(), overall.after().milliseconds(), description.figure());
        Optional<DecisionFigures> comparison = overall.decision().figures(options.gain().withMinimumGain(0));
        return new PhaseResult(description.gated(), description.figure(), faster && besideFell ? Status.PASS : Status.FAIL,
                "verified, and %s: %s%s%s".formatted(said, figures, comparison.map(each -> ", " + each.text()).orElse(""),
                        description.beside().map(beside -> ", " + beside.text(overall.before(), overall.after())).orElse("")),
                overall.before(), overall.after(), gate, records, comparison);
    }

    private PhaseResult result(GateSummary gate, String reason, PhaseState baseline, PhaseState last, List<SkillRecord> records) {
        return new PhaseResult(description.gated(), description.figure(), Status.of(gate.verdict()), reason, baseline, last, gate, records, Optional.empty());
    }

    /// The longer check of the final plan, as recorded where the target repeats exactly; empty where the target or the model has no room for it.
    private Optional<GateSummary> judgedLonger(Deployment deployment) {
        Optional<GateSummary> recorded = timer.repeatsExactly() ? journal.longer(deployment.hash()) : Optional.empty();
        return recorded.or(() -> {
            journal.stage("verifying longer");
            return target.verifyLonger(deployment).map(gate -> {
                journal.verdict(deployment.hash(), gate);
                return GateSummary.of(gate);
            });
        });
    }

    /// The gate's result on a plan in this run: the recorded one where the target repeats exactly, else a new one.
    private GateSummary judged(Deployment deployment) {
        Optional<GateSummary> recorded = timer.repeatsExactly() ? journal.gate(deployment.hash()) : Optional.empty();
        return recorded.orElseGet(() -> {
            journal.stage("verifying");
            GateResult gate = target.verify(deployment, options.prompts());
            journal.verdict(deployment.hash(), gate);
            return GateSummary.of(gate);
        });
    }
}
