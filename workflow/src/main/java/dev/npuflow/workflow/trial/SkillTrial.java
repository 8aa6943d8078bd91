package dev.npuflow.workflow.trial;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.PlanWarning;
import dev.npuflow.skill.Assessment;
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

/// Tries one skill on one plan: assess, then apply and compile until a plan compiles or none is left. Each plan is asked for twice: a skill that answers the same
/// question with two plans would be judged by chance.
public final class SkillTrial {

    /// A skill that answers every blocker with another plan is stopped after so many: enough for the merge to find that nothing goes with nothing in an LM head of
    /// nineteen launches.
    public static final int MOST_COMPILATIONS = 24;

    private final GuardedSkill skill;
    private final Deployment before;
    private final SkillContext context;
    private final Function<Deployment, List<Blocker>> compiler;
    private final TrialWatch watch;
    private final List<Attempt> attempts = new ArrayList<>();

    /// @param context  its earlier attempts are not looked at
    /// @param compiler answers with what keeps a plan from compiling
    public SkillTrial(GuardedSkill skill, Deployment before, SkillContext context, Function<Deployment, List<Blocker>> compiler, TrialWatch watch) {
        this.skill = skill;
        this.before = before;
        this.context = context;
        this.compiler = compiler;
        this.watch = watch;
    }

    public Trial run() {
        watch.stage("assessing");
        return switch (skill.assess(before, now())) {
            case Answer.Value(Assessment.Applies(String why)) -> applied(why);
            case Answer.Value(Assessment.DoesNotApply(String reason)) -> new Trial.DoesNotApply(reason);
            case Answer.Refusal(String reason, List<Blocker> blockers) -> new Trial.Refused(reason, blockers);
            case Answer.Crash(SkillFault fault) -> new Trial.Crashed(fault);
        };
    }

    private Trial applied(String why) {
        Optional<Trial> end = Optional.empty();
        while (end.isEmpty()) {
            watch.stage("applying");
            end = switch (skill.apply(before, now())) {
                case Answer.Value(Deployment made) -> attempt(made, why);
                case Answer.Refusal(String reason, List<Blocker> blockers) -> Optional.of(new Trial.Refused(reason, blockers));
                case Answer.Crash(SkillFault fault) -> Optional.of(new Trial.Crashed(fault));
            };
        }
        return end.get();
    }

    /// @return empty where the skill is to be asked for another plan
    private Optional<Trial> attempt(Deployment made, String why) {
        String hash = made.hash();
        watch.answered(made);
        if (hash.equals(before.hash())) {
            return Optional.of(attempts.isEmpty() ? new Trial.ChangedNothing() : doesNotCompile(true));
        }
        if (!sameElsewhere(made)) {
            return Optional.of(new Trial.TouchedAnotherPhase());
        }
        watch.made(made);
        Optional<Trial> twice = askedAgain(hash);
        if (twice.isPresent()) {
            return twice;
        }
        watch.stage("compiling");
        List<Blocker> blockers = compiler.apply(made);
        if (blockers.isEmpty()) {
            return Optional.of(compiled(made, why));
        }
        boolean repeats = attempts.stream().anyMatch(attempt -> attempt.plan().equals(hash));
        attempts.add(new Attempt(hash, blockers));
        watch.blocked(attempts.size(), made, blockers);
        return repeats || attempts.size() == MOST_COMPILATIONS ? Optional.of(doesNotCompile(false)) : Optional.empty();
    }

    private Optional<Trial> askedAgain(String hash) {
        return switch (skill.apply(before, now())) {
            case Answer.Value(Deployment again) -> again.hash().equals(hash) ? Optional.empty() : Optional.of(new Trial.NotRepeatable(hash, again.hash()));
            case Answer.Refusal(String reason, var _) -> Optional.of(crash("apply made a plan, and refused when it was asked again: " + reason));
            case Answer.Crash(SkillFault fault) -> Optional.of(new Trial.Crashed(new SkillFault("asked again, " + fault.reason(), fault.trace())));
        };
    }

    private static Trial crash(String reason) {
        return new Trial.Crashed(new SkillFault(reason, List.of()));
    }

    private Trial doesNotCompile(boolean exhausted) {
        return new Trial.DoesNotCompile(attempts.size(), attempts.getLast().blockers().getFirst(), exhausted);
    }

    private Trial compiled(Deployment made, String why) {
        return switch (skill.changesArithmetic(before, now())) {
            case Answer.Value(Boolean changes) -> new Trial.Compiled(made, why, changes, warnings(made));
            case Answer.Refusal(String reason, List<Blocker> blockers) -> new Trial.Refused(reason, blockers);
            case Answer.Crash(SkillFault fault) -> new Trial.Crashed(fault);
        };
    }

    /// What is wrong with a skill's warnings is a warning; its plan may be good.
    private List<String> warnings(Deployment made) {
        List<String> own = switch (skill.warnings(before, made, now())) {
            case Answer.Value(List<String> lines) -> lines;
            case Answer.Refusal(String reason, var _) -> List.of(reason);
            case Answer.Crash(SkillFault fault) -> List.of(fault.reason());
        };
        return Stream.concat(PlanWarning.of(made).stream().filter(warning -> warning.phase() == context.phase()).map(PlanWarning::text), own.stream()).toList();
    }

    private boolean sameElsewhere(Deployment made) {
        return made.withPhase(context.phase(), before.phase(context.phase())).hash().equals(before.hash());
    }

    private SkillContext now() {
        return new SkillContext(context.phase(), context.device(), context.options(), context.placement(), attempts);
    }
}
