package dev.npuflow.workflow.phase;

import dev.npuflow.npu.NpuException;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PlanWarning;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Attempt;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.workflow.catalog.GuardedSkill;
import dev.npuflow.workflow.catalog.GuardedSkill.Answer;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.fault.ExitCode;
import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.SelfCheck;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.model.Prompt;
import dev.npuflow.workflow.report.Outcome;
import dev.npuflow.workflow.report.ProfileSummary;
import dev.npuflow.workflow.report.StepTotals;
import dev.npuflow.workflow.target.StepTime;
import dev.npuflow.workflow.target.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/// One skill on one plan: assess → apply → compile → self-check → verify → measure. It decides; keeping and reverting is the loop's.
final class Experiment {

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
        GuardedSkill skill = new GuardedSkill(loaded.skill(), options.skillLimit());
        SkillRecordBuilder skillRecord = new SkillRecordBuilder(loaded.name(), current, phase);
        SkillContext context = new SkillContext(phase, target.device(), options.skillOptions(), target.placement(), List.of());
        journal.stage("assessing");
        return switch (skill.assess(current.deployment(), context)) {
            case Answer.Value(Assessment.Applies applies) -> applied(skill, skillRecord, current, context, applies.reason());
            case Answer.Value(Assessment.DoesNotApply doesNot) -> skillRecord.skipped(ReasonCode.DOES_NOT_APPLY, doesNot.reason());
            case Answer.Refusal(String reason, List<Blocker> blockers) -> skillRecord.blockers(blockers).skipped(ReasonCode.SKILL_REFUSED, reason);
            case Answer.Crash(String reason) -> skillRecord.skipped(ReasonCode.SKILL_CRASHED, reason);
        };
    }

    private Decision applied(GuardedSkill skill, SkillRecordBuilder skillRecord, PhaseState current, SkillContext context, String why) {
        List<Attempt> attempts = new ArrayList<>();
        while (true) {
            SkillContext now = new SkillContext(context.phase(), context.device(), context.options(), context.placement(), attempts);
            journal.stage("applying");
            Deployment changed;
            switch (skill.apply(current.deployment(), now)) {
                case Answer.Value(Deployment value) -> changed = value;
                case Answer.Refusal(String reason, List<Blocker> blockers) -> {
                    return skillRecord.blockers(blockers).skipped(ReasonCode.SKILL_REFUSED, reason);
                }
                case Answer.Crash(String reason) -> {
                    return skillRecord.skipped(ReasonCode.SKILL_CRASHED, reason);
                }
            }
            String hash = changed.hash();
            skillRecord.made(changed);
            if (hash.equals(current.deployment().hash())) {
                return attempts.isEmpty() ? skillRecord.skipped(ReasonCode.CHANGED_NOTHING, "said it applies and changed nothing")
                        : skillRecord.skipped(ReasonCode.DOES_NOT_COMPILE, "%s; no other plan is left after %d attempts".formatted(named(attempts.getLast()), attempts.size()));
            }
            if (!sameElsewhere(current.deployment(), changed)) {
                return skillRecord.skipped(ReasonCode.TOUCHED_ANOTHER_PHASE, "changed more than the %s plan".formatted(phase.name().toLowerCase(Locale.ROOT)));
            }
            journal.made(changed);
            skillRecord.warnings(Stream.concat(PlanWarning.of(changed).stream().filter(warning -> warning.phase() == phase).map(PlanWarning::text),
                    said(skill.warnings(current.deployment(), changed, now)).stream()).toList());
            journal.stage("compiling");
            List<Blocker> blockers = target.compile(changed);
            if (blockers.isEmpty()) {
                journal.compiled();
                return options.dryRun()
                        ? skillRecord.skipped(ReasonCode.COMPILES_ONLY, "dry run: compiles; " + why)
                        : tried(skill, skillRecord, current, changed, now);
            }
            journal.blocked(hash, blockers);
            boolean repeats = attempts.stream().anyMatch(attempt -> attempt.plan().equals(hash));
            attempts.add(new Attempt(hash, blockers));
            skillRecord.didNotCompile(attempts.size(), changed, blockers);
            if (repeats || attempts.size() == PhaseOptions.MOST_COMPILATIONS) {
                return skillRecord.skipped(ReasonCode.DOES_NOT_COMPILE, named(attempts.getLast()));
            }
        }
    }

    private Decision tried(GuardedSkill skill, SkillRecordBuilder skillRecord, PhaseState current, Deployment changed, SkillContext context) {
        try {
            if (options.selfCheck()) {
                journal.stage("self-check");
                boolean changesArithmetic = switch (skill.changesArithmetic(current.deployment(), context)) {
                    case Answer.Value(Boolean value) -> value;
                    case Answer.Refusal<Boolean> _, Answer.Crash<Boolean> _ -> false;
                };
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
        } catch (NpuException e) {
            return skillRecord.reverted(ReasonCode.TARGET_FAILED, e.getMessage());
        }
    }

    private static String named(Attempt attempt) {
        Blocker first = attempt.blockers().getFirst();
        return "%s in %s: %s".formatted(first.limit(), first.launch(), first.message());
    }

    private static List<String> said(Answer<List<String>> warnings) {
        return switch (warnings) {
            case Answer.Value(List<String> lines) -> lines.stream().map(line -> line.replace('\n', ' ')).toList();
            case Answer.Refusal(String reason, var _) -> List.of(reason);
            case Answer.Crash(String reason) -> List.of(reason);
        };
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

    private boolean sameElsewhere(Deployment before, Deployment after) {
        return after.withPhase(phase, before.phase(phase)).hash().equals(before.hash());
    }
}
