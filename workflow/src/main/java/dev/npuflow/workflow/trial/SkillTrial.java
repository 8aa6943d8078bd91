package dev.npuflow.workflow.trial;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.PlanWarning;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Assessment.Proposal;
import dev.npuflow.skill.Attempt;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.workflow.catalog.Answer;
import dev.npuflow.workflow.catalog.GuardedSkill;
import dev.npuflow.workflow.catalog.SkillFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/// Tries one skill on one plan: asks it and compiles what it proposes, until a plan compiles or none is left. Each question is asked twice: a skill that answers the
/// same question in two ways would be judged by chance.
final class SkillTrial {

    private static final int SHORT_HASH = 12;

    private final GuardedSkill skill;
    private final Deployment before;
    private final SkillContext context;
    private final Function<Deployment, List<Blocker>> compiler;
    private final TrialWatch watch;
    private final List<Attempt> attempts = new ArrayList<>();

    /// @param context  without earlier attempts
    /// @param compiler answers with what keeps a plan from compiling
    SkillTrial(GuardedSkill skill, Deployment before, SkillContext context, Function<Deployment, List<Blocker>> compiler, TrialWatch watch) {
        this.skill = skill;
        this.before = before;
        this.context = context;
        this.compiler = compiler;
        this.watch = watch;
    }

    Trial run() {
        Optional<Trial> end = Optional.empty();
        while (end.isEmpty()) {
            watch.stage("assessing");
            end = switch (skill.assess(before, context.after(attempts))) {
                case Answer.Value(Proposal proposal) -> attempt(proposal);
                case Answer.Value(Assessment.NotApplicable(String reason, List<Blocker> blockers)) ->
                    Optional.of(attempts.isEmpty() ? new Trial.NotApplicable(reason, blockers) : doesNotCompile(true));
                case Answer.Crash(SkillFault fault) -> Optional.of(new Trial.Crashed(fault));
            };
        }
        return end.get();
    }

    /// @return empty where the skill is to be asked for another plan
    private Optional<Trial> attempt(Proposal proposal) {
        Deployment made = proposal.plan();
        String hash = made.hash();
        watch.answered(made);
        if (hash.equals(before.hash())) {
            return Optional.of(attempts.isEmpty() ? new Trial.ChangedNothing() : doesNotCompile(true));
        }
        if (!sameElsewhere(made)) {
            return Optional.of(new Trial.TouchedAnotherPhase());
        }
        watch.made(made);
        Optional<Trial> twice = askedAgain(proposal);
        if (twice.isPresent()) {
            return twice;
        }
        watch.stage("compiling");
        List<Blocker> blockers;
        try {
            blockers = compiler.apply(made);
        } catch (RuntimeException | StackOverflowError | OutOfMemoryError nonsense) {
            return Optional.of(new Trial.Crashed(SkillFault.ofPlan("compiling", nonsense)));
        }
        if (blockers.isEmpty()) {
            return Optional.of(new Trial.Compiled(withPlanWarnings(proposal)));
        }
        boolean repeats = attempts.stream().anyMatch(attempt -> attempt.plan().equals(hash));
        attempts.add(new Attempt(hash, blockers));
        watch.blocked(attempts.size(), made, blockers);
        return repeats || attempts.size() == TrialBench.MOST_COMPILATIONS ? Optional.of(doesNotCompile(false)) : Optional.empty();
    }

    private Optional<Trial> askedAgain(Proposal first) {
        return switch (skill.assess(before, context.after(attempts))) {
            case Answer.Value(Proposal again) -> difference(first, again).map(Trial.NotRepeatable::new);
            case Answer.Value(Assessment.NotApplicable(String reason, var _)) -> Optional.of(new Trial.NotRepeatable("a plan, then none: " + reason));
            case Answer.Crash(SkillFault fault) -> Optional.of(new Trial.Crashed(new SkillFault("asked again, " + fault.reason(), fault.trace())));
        };
    }

    private static Optional<String> difference(Proposal first, Proposal again) {
        String one = first.plan().hash();
        String two = again.plan().hash();
        if (!one.equals(two)) {
            return Optional.of("plan %s and plan %s".formatted(one.substring(0, SHORT_HASH), two.substring(0, SHORT_HASH)));
        }
        if (first.changesBits() != again.changesBits()) {
            return Optional.of("a plan that changes bits, and the same plan that changes none");
        }
        return first.reason().equals(again.reason()) && first.warnings().equals(again.warnings()) && first.evidence().equals(again.evidence())
                ? Optional.empty() : Optional.of("one plan with two reasons, warnings or evidence");
    }

    private Trial doesNotCompile(boolean exhausted) {
        return new Trial.DoesNotCompile(attempts.size(), attempts.getLast().blockers().getFirst(), exhausted);
    }

    private Proposal withPlanWarnings(Proposal proposal) {
        Stream<String> found = PlanWarning.of(proposal.plan()).stream().filter(warning -> warning.phase() == context.phase()).map(PlanWarning::text);
        List<String> all = Stream.concat(found, proposal.warnings().stream()).toList();
        return new Proposal(proposal.plan(), proposal.reason(), proposal.changesBits(), all, proposal.evidence());
    }

    private boolean sameElsewhere(Deployment made) {
        return made.withPhase(context.phase(), before.phase(context.phase())).hash().equals(before.hash());
    }
}
