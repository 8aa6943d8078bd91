package dev.npuflow.workflow.phase;

import dev.npuflow.fault.ExitCode;
import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.workflow.catalog.GuardedSkill;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.catalog.SkillFault;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.SelfCheck;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.report.Outcome;
import dev.npuflow.workflow.report.ProfileSummary;
import dev.npuflow.workflow.report.StepTotals;
import dev.npuflow.workflow.target.StepTime;
import dev.npuflow.workflow.target.Target;
import dev.npuflow.workflow.trial.SkillTrial;
import dev.npuflow.workflow.trial.Trial;
import dev.npuflow.workflow.trial.TrialWatch;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// One skill on one plan: assess → apply → compile → self-check → verify → measure. It decides; keeping and reverting is the loop's.
final class Experiment {

    private static final int SHORT_HASH = 12;

    private final Target target;
    private final PhaseDescription description;
    private final Phase phase;
    private final PhaseOptions options;
    private final Prompt prompt;
    private final PhaseJournal journal;

    Experiment(Target target, PhaseDescription description, PhaseOptions options, Prompt prompt, PhaseJournal journal) {
        this.target = target;
        this.description = description;
        this.phase = description.optimizes();
        this.options = options;
        this.prompt = prompt;
        this.journal = journal;
    }

    /// What came of it: the record, and the new state if the skill is to be kept.
    record Decision(SkillRecord skill, Optional<PhaseState> kept) {

        boolean mustRevert() {
            return skill.outcome() == Outcome.REVERTED;
        }
    }

    Decision run(LoadedSkill loaded, PhaseState current) {
        SkillRecordBuilder skillRecord = new SkillRecordBuilder(loaded.name(), current, phase);
        GuardedSkill skill = new GuardedSkill(loaded, options.skillLimit());
        SkillContext context = new SkillContext(phase, target.device(), options.skillOptions(), target.placement(), List.of());
        return switch (new SkillTrial(skill, current.deployment(), context, target::compile, watch(skillRecord)).run()) {
            case Trial.Compiled compiled -> compiled(skillRecord, current, compiled);
            case Trial.DoesNotApply(String reason) -> skillRecord.skipped(ReasonCode.DOES_NOT_APPLY, reason);
            case Trial.Refused(String reason, List<Blocker> blockers) -> skillRecord.blockers(blockers).skipped(ReasonCode.SKILL_REFUSED, reason);
            case Trial.Crashed(SkillFault fault) -> skillRecord.trace(fault.trace()).skipped(ReasonCode.SKILL_CRASHED, fault.reason());
            case Trial.ChangedNothing _ -> skillRecord.skipped(ReasonCode.CHANGED_NOTHING, "said it applies and changed nothing");
            case Trial.TouchedAnotherPhase _ ->
                skillRecord.skipped(ReasonCode.TOUCHED_ANOTHER_PHASE, "changed more than the %s plan".formatted(phase.name().toLowerCase(Locale.ROOT)));
            case Trial.NotRepeatable(String first, String second) -> skillRecord.skipped(ReasonCode.NONDETERMINISTIC,
                    "nondeterministic: asked twice for the same plan, it made plan %s and plan %s".formatted(shortened(first), shortened(second)));
            case Trial.DoesNotCompile(int attempts, Blocker first, boolean exhausted) -> skillRecord.skipped(ReasonCode.DOES_NOT_COMPILE,
                    named(first) + (exhausted ? "; no other plan is left after %d attempts".formatted(attempts) : ""));
        };
    }

    private TrialWatch watch(SkillRecordBuilder skillRecord) {
        return new TrialWatch() {
            @Override public void stage(String stage) {
                journal.stage(stage);
            }

            @Override public void answered(Deployment plan) {
                skillRecord.made(plan);
            }

            @Override public void made(Deployment plan) {
                journal.made(plan);
            }

            @Override public void blocked(int attempt, Deployment plan, List<Blocker> blockers) {
                journal.blocked(plan.hash(), blockers);
                skillRecord.didNotCompile(attempt, plan, blockers);
            }
        };
    }

    private Decision compiled(SkillRecordBuilder skillRecord, PhaseState current, Trial.Compiled compiled) {
        journal.compiled();
        skillRecord.warnings(compiled.warnings());
        return options.dryRun() ? skillRecord.skipped(ReasonCode.COMPILES_ONLY, "dry run: compiles; " + compiled.why())
                : tried(skillRecord, current, compiled.plan(), compiled.changesArithmetic());
    }

    private Decision tried(SkillRecordBuilder skillRecord, PhaseState current, Deployment changed, boolean changesArithmetic) {
        try {
            if (options.selfCheck()) {
                journal.stage("self-check");
                SelfCheck check = target.selfCheck(current.deployment(), changed, changesArithmetic);
                skillRecord.selfCheck(check);
                journal.selfCheck(check);
                if (!check.passed()) {
                    return skillRecord.reverted(ReasonCode.SELF_CHECK_FAILED, "self-check: " + check.failure().orElse(""));
                }
            }
            journal.stage("verifying");
            GateResult gate = target.verify(changed, options.prompts());
            skillRecord.verdict(gate.verdict());
            journal.verdict(changed.hash(), gate);
            if (!gate.passed()) {
                return skillRecord.reverted(gate.verdict() == Verdict.GATE_FAIL || gate.verdict() == Verdict.VACUOUS
                        ? ReasonCode.GATE_FAILED : ReasonCode.TARGET_FAILED, "gate %s: %s".formatted(gate.verdict(), gate.reason()));
            }
            journal.stage("measuring");
            ProfileSummary profile = ProfileSummary.of(target.profile(changed, prompt, options.tokens(), true));
            requireCalls(changed, profile);
            PhaseState measured = description.state(changed, profile);
            skillRecord.measured(measured.milliseconds());
            journal.measured(profile);
            return decide(skillRecord, current, measured);
        } catch (NpuflowException e) {
            if (e.exitCode() == ExitCode.ENVIRONMENT) {
                return skillRecord.reverted(ReasonCode.TARGET_FAILED, e.getMessage());
            }
            throw e;
        }
    }

    private static String named(Blocker first) {
        return "%s in %s: %s".formatted(first.limit(), first.launch(), first.message());
    }

    private static String shortened(String hash) {
        return hash.substring(0, SHORT_HASH);
    }

    /// What was measured has to be the plan: a merge that did not take effect would be kept for another reason, or for none.
    ///
    /// @throws NpuflowException NPF-524
    private void requireCalls(Deployment changed, ProfileSummary profile) {
        int passes = switch (phase) {
            case PREFILL -> 1;
            case DECODE -> profile.decodeTokens();
        };
        long planned = changed.phase(phase).callsPerPass(changed.model().layers()) * passes;
        long made = profile.phase(phase).stream().filter(step -> step.kind() == StepTime.Kind.NPU).mapToLong(StepTotals::count).sum();
        if (made != planned) {
            throw NpuflowException.environment("NPF-524", "merge not in effect: %d XRT calls in %d passes".formatted(made, passes),
                    "%d, as the plan has".formatted(planned), "compiling again: what ran is not this plan");
        }
    }

    private Decision decide(SkillRecordBuilder skillRecord, PhaseState current, PhaseState changed) {
        double before = current.milliseconds();
        double after = changed.milliseconds();
        String figures = String.format(Locale.ROOT, "%.3f → %.3f %s", before, after, description.figure());
        if (after < before * (1 - target.noise())) {
            return skillRecord.kept(changed, String.format(Locale.ROOT, "%s, %.1f %% less", figures, 100 * (1 - after / before)));
        }
        return skillRecord.reverted(ReasonCode.NOT_FASTER, "correct, but not faster: " + figures);
    }
}
