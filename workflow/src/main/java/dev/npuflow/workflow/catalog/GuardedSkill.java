package dev.npuflow.workflow.catalog;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.FailureMode;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.workflow.catalog.GuardedCall.NoAnswer;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Calls a skill so that nothing it does stops the loop, and takes nothing from it that npuflow could not go on with.
public final class GuardedSkill {

    /// What a command gives one call of a skill.
    public static final Duration USUAL_LIMIT = Duration.ofSeconds(60);

    private static final int MOST_LINES = 64;

    private final Skill skill;
    private final GuardedCall guard;

    public GuardedSkill(LoadedSkill loaded, Duration limit) {
        this.skill = loaded.skill();
        this.guard = new GuardedCall("skill " + loaded.name(), skill.getClass().getClassLoader(), limit);
    }

    public Answer<Assessment> assess(Deployment deployment, SkillContext context) {
        return guard.call("assess", () -> plain(skill.assess(deployment, context)));
    }

    public Answer<Deployment> apply(Deployment deployment, SkillContext context) {
        return guard.call("apply", () -> whole(skill.apply(deployment, context), context.phase()));
    }

    public Answer<List<String>> warnings(Deployment before, Deployment after, SkillContext context) {
        return guard.call("warnings", () -> skill.warnings(before, after, context).stream().limit(MOST_LINES).map(GuardedCall::line).toList());
    }

    public Answer<Boolean> changesArithmetic(Deployment deployment, SkillContext context) {
        return guard.call("changesArithmetic", () -> skill.changesArithmetic(deployment, context));
    }

    /// As the skill says it of itself, whatever the plan.
    public Answer<Boolean> changesArithmetic() {
        return guard.call("changesArithmetic", skill::changesArithmetic);
    }

    public Answer<List<FailureMode>> failureModes() {
        return guard.call("failureModes", () -> skill.failureModes().stream().limit(MOST_LINES)
                .map(mode -> new FailureMode(GuardedCall.line(mode.symptom()), GuardedCall.line(mode.cause()), GuardedCall.line(mode.remedy()))).toList());
    }

    /// Names of threads that the skill started and that still run.
    public List<String> runningThreads() {
        return guard.running();
    }

    private static @Nullable Assessment plain(@Nullable Assessment assessment) {
        return switch (assessment) {
            case null -> null;
            case Assessment.Applies(String reason) -> new Assessment.Applies(reason(reason));
            case Assessment.DoesNotApply(String reason) -> new Assessment.DoesNotApply(reason(reason));
        };
    }

    private static String reason(@Nullable String reason) {
        if (reason == null) {
            throw new NoAnswer("no reason");
        }
        return GuardedCall.line(reason);
    }

    private static @Nullable Deployment whole(@Nullable Deployment made, Phase phase) {
        if (made != null) {
            PlanForm.fault(made, phase).ifPresent(fault -> {
                throw new NoAnswer("a plan that " + fault);
            });
        }
        return made;
    }
}
