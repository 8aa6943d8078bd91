package dev.npuflow.workflow.phase;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.Evidence;
import dev.npuflow.workflow.decision.DecisionFigures;
import dev.npuflow.workflow.decision.GainRule;
import dev.npuflow.workflow.gate.SelfCheck;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.phase.Experiment.Tried;
import dev.npuflow.workflow.phase.PlanTimer.Compared;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/// Gathers a skill's record while its experiment goes on.
final class SkillRecordBuilder {

    private static final int SHORT_HASH = 12;

    private final String skill;
    private PhaseState before;
    private final Phase phase;
    private Optional<Deployment> made = Optional.empty();
    private OptionalDouble after = OptionalDouble.empty();
    private Optional<DecisionFigures> comparison = Optional.empty();
    private Optional<SelfCheck> selfCheck = Optional.empty();
    private Optional<Verdict> verdict = Optional.empty();
    private final List<String> blockers = new ArrayList<>();
    private List<String> warnings = List.of();
    private List<String> trace = List.of();
    private List<Evidence> evidence = List.of();

    SkillRecordBuilder(String skill, PhaseState before, Phase phase) {
        this.skill = skill;
        this.before = before;
        this.phase = phase;
    }

    void made(Deployment changed) {
        made = Optional.of(changed);
    }

    void selfCheck(SelfCheck check) {
        selfCheck = Optional.of(check);
    }

    void verdict(Verdict found) {
        verdict = Optional.of(found);
    }

    void measured(Compared compared, GainRule rule) {
        before = compared.before();
        after = OptionalDouble.of(compared.after().milliseconds());
        comparison = compared.decision().figures(rule);
    }

    /// What the skill says of its plan.
    void proposed(List<String> warned, List<Evidence> shown) {
        warnings = warned;
        evidence = shown;
    }

    SkillRecordBuilder trace(List<String> lines) {
        trace = lines;
        return this;
    }

    SkillRecordBuilder blockers(List<Blocker> found) {
        found.forEach(blocker -> blockers.add(line(blocker)));
        return this;
    }

    /// @param attempt counted from 1
    void didNotCompile(int attempt, Deployment plan, List<Blocker> found) {
        String which = "attempt %d, plan %s, %d XRT calls a pass: ".formatted(attempt, plan.hash().substring(0, SHORT_HASH), calls(plan));
        found.forEach(blocker -> blockers.add(which + line(blocker)));
    }

    private static String line(Blocker blocker) {
        return "%s: %s: %s. %s".formatted(blocker.launch(), blocker.limit(), blocker.message(), blocker.remedy());
    }

    Tried skipped(ReasonCode code, String reason) {
        return new Tried(build(code, reason), before, Optional.empty());
    }

    Tried reverted(ReasonCode code, String reason) {
        return new Tried(build(code, reason), before, Optional.empty());
    }

    Tried kept(PhaseState changed, String reason) {
        return new Tried(build(ReasonCode.FASTER, reason), before, Optional.of(changed));
    }

    private SkillRecord build(ReasonCode code, String reason) {
        return new SkillRecord(skill, code, reason.replace('\n', ' '), before.deployment().hash(), made.map(Deployment::hash), before.milliseconds(),
                after, calls(before.deployment()), made.map(this::calls).orElseGet(() -> calls(before.deployment())), selfCheck, verdict, blockers,
                warnings, Optional.empty(), trace, evidence, comparison);
    }

    private long calls(Deployment deployment) {
        return deployment.phase(phase).callsPerPass(deployment.model().layers());
    }
}
