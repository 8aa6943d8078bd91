package dev.npuflow.workflow.phase;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Blocker;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.catalog.SkillFault;
import dev.npuflow.workflow.decision.Comparison;
import dev.npuflow.workflow.decision.Decision;
import dev.npuflow.workflow.decision.Decision.Ground;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.SelfCheck;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.lowering.StepTime;
import dev.npuflow.workflow.measurement.Target;
import dev.npuflow.workflow.phase.PlanTimer.Compared;
import dev.npuflow.workflow.report.Outcome;
import dev.npuflow.workflow.report.ProfileSummary;
import dev.npuflow.workflow.report.StepTotals;
import dev.npuflow.workflow.trial.Trial;
import dev.npuflow.workflow.trial.TrialWatch;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/// One skill on one plan: assess → compile → self-check → verify → measure. It decides; keeping and reverting is the loop's.
final class Experiment {

    private final Target target;
    private final PhaseDescription description;
    private final Phase phase;
    private final PhaseOptions options;
    private final PlanTimer timer;
    private final PhaseJournal journal;

    Experiment(Target target, PhaseDescription description, PhaseOptions options, PlanTimer timer, PhaseJournal journal) {
        this.target = target;
        this.description = description;
        this.phase = description.optimizes();
        this.options = options;
        this.timer = timer;
        this.journal = journal;
    }

    /// What came of it: the record, and the new state if the skill is to be kept.
    ///
    /// @param before where the phase stood, by the last samples there are
    record Tried(SkillRecord skill, PhaseState before, Optional<PhaseState> kept) {

        PhaseState holds() {
            return kept.orElse(before);
        }

        boolean mustRevert() {
            return skill.outcome() == Outcome.REVERTED;
        }
    }

    Tried run(LoadedSkill loaded, PhaseState current) {
        SkillRecordBuilder skillRecord = new SkillRecordBuilder(loaded.name(), current, phase);
        return switch (target.bench(options.skillOptions(), options.skillLimit()).run(loaded, current.deployment(), phase, watch(skillRecord))) {
            case Trial.Compiled(Assessment.Proposal proposal) -> compiled(skillRecord, current, proposal);
            case Trial.NotApplicable(String reason, List<Blocker> blockers) -> skillRecord.blockers(blockers).skipped(ReasonCode.DOES_NOT_APPLY, reason);
            case Trial.Crashed(SkillFault fault) -> skillRecord.trace(fault.trace()).skipped(ReasonCode.SKILL_CRASHED, fault.reason());
            case Trial.ChangedNothing _ -> skillRecord.skipped(ReasonCode.CHANGED_NOTHING, "proposed the plan that it was given");
            case Trial.TouchedAnotherPhase _ ->
                skillRecord.skipped(ReasonCode.TOUCHED_ANOTHER_PHASE, "changed more than the %s plan".formatted(phase.name().toLowerCase(Locale.ROOT)));
            case Trial.NotRepeatable(String difference) -> skillRecord.skipped(ReasonCode.NONDETERMINISTIC, "nondeterministic: asked twice, it gave " + difference);
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

    private Tried compiled(SkillRecordBuilder skillRecord, PhaseState current, Assessment.Proposal proposal) {
        journal.compiled();
        skillRecord.proposed(proposal.warnings(), proposal.evidence());
        return options.dryRun() ? skillRecord.skipped(ReasonCode.COMPILES_ONLY, "dry run: compiles; " + proposal.reason())
                : tried(skillRecord, current, proposal.plan(), proposal.changesBits());
    }

    private Tried tried(SkillRecordBuilder skillRecord, PhaseState current, Deployment changed, boolean changesBits) {
        try {
            if (options.selfCheck()) {
                SelfCheck check = ask("self-check", () -> target.selfCheck(current.deployment(), changed, changesBits));
                skillRecord.selfCheck(check);
                journal.selfCheck(check);
                if (!check.passed()) {
                    return skillRecord.reverted(ReasonCode.SELF_CHECK_FAILED, "self-check: " + check.failure().orElse(""));
                }
            }
            GateResult gate = ask("verifying", () -> target.verify(changed, options.prompts()));
            skillRecord.verdict(gate.verdict());
            journal.verdict(changed.hash(), gate);
            if (!gate.passed()) {
                return skillRecord.reverted(gate.verdict() == Verdict.GATE_FAIL || gate.verdict() == Verdict.VACUOUS
                        ? ReasonCode.GATE_FAILED : ReasonCode.TARGET_FAILED, "gate %s: %s".formatted(gate.verdict(), gate.reason()));
            }
            // What a skill says of its bits is believed where the self-check has compared them.
            Optional<String> beyond = changesBits || !options.selfCheck() ? ask("looking at its operators", () -> journal.beyondNoise(current.deployment(), changed)) : Optional.empty();
            if (beyond.isPresent()) {
                return skillRecord.reverted(ReasonCode.OPERATOR_BEYOND_NOISE, "an operator is beyond its noise: " + beyond.get());
            }
            Compared compared = ask("measuring", () -> timer.compare(current, changed, profile -> require(changed, profile)));
            skillRecord.measured(compared, options.gain());
            return decide(skillRecord, compared);
        } catch (TargetFailure failure) {
            return skillRecord.trace(failure.fault.trace()).reverted(ReasonCode.TARGET_FAILED, failure.fault.reason());
        }
    }

    /// The plan before went through the same on this target: whatever is thrown here costs the changed plan, and not the phase.
    private <T> T ask(String stage, Supplier<T> question) {
        journal.stage(stage);
        try {
            return question.get();
        } catch (NpuflowException told) {
            throw new TargetFailure(new SkillFault(told.getMessage(), List.of()));
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError nonsense) {
            throw new TargetFailure(SkillFault.ofPlan(stage, nonsense));
        }
    }

    private static final class TargetFailure extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient SkillFault fault;

        TargetFailure(SkillFault fault) {
            super(fault.reason());
            this.fault = fault;
        }
    }

    /// @throws NpuflowException NPF-524, NPF-525
    private void require(Deployment changed, ProfileSummary profile) {
        requireCalls(changed, profile);
        requireTime(description.milliseconds().applyAsDouble(profile));
    }

    private static String named(Blocker first) {
        return "%s in %s: %s".formatted(first.limit(), first.launch(), first.message());
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

    /// Nothing takes no time, and what takes less is a fault of the plan or of the clock: no gain.
    ///
    /// @throws NpuflowException NPF-525
    private static void requireTime(double milliseconds) {
        if (!(milliseconds > 0) || !Double.isFinite(milliseconds)) {
            throw NpuflowException.environment("NPF-525", "time of the plan", String.format(Locale.ROOT, "%s ms", milliseconds), "a finite time above 0",
                    "npuflow profile of that plan, which tells the time of each step");
        }
    }

    private Tried decide(SkillRecordBuilder skillRecord, Compared compared) {
        String figures = String.format(Locale.ROOT, "%.3f → %.3f %s", compared.before().milliseconds(), compared.after().milliseconds(), description.figure());
        String shown = figures + compared.decision().figures(options.gain()).map(each -> ", " + each.text()).orElse("");
        return switch (compared.decision()) {
            case Decision.Kept(Comparison.Exact exact) ->
                skillRecord.kept(compared.after(), String.format(Locale.ROOT, "%s, %.1f %% less", figures, 100 * (1 - exact.after() / exact.before())));
            case Decision.Kept(Comparison.Paired _) -> skillRecord.kept(compared.after(), shown);
            case Decision.Reverted(var _, Ground ground) -> reverted(skillRecord, ground, shown);
            case Decision.Undecided _ -> reverted(skillRecord, Ground.WITHIN_NOISE, shown);
        };
    }

    private Tried reverted(SkillRecordBuilder skillRecord, Ground ground, String shown) {
        return switch (ground) {
            case NOT_FASTER -> skillRecord.reverted(ReasonCode.NOT_FASTER, "correct, but not faster: " + shown);
            case TOO_LITTLE -> skillRecord.reverted(ReasonCode.NOT_FASTER,
                    "correct, but not faster: %s, less than the %s %% that count".formatted(shown, percent(options.gain().minimumGain())));
            case WITHIN_NOISE -> skillRecord.reverted(ReasonCode.WITHIN_NOISE, "correct, but within the noise: " + shown);
        };
    }

    private static String percent(double share) {
        return new BigDecimal(Double.toString(100 * share)).round(new MathContext(6)).stripTrailingZeros().toPlainString();
    }
}
