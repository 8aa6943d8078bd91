package dev.npuflow.workflow.catalog;

import dev.npuflow.plan.Deployment;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.skill.SkillFailure;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Calls a skill so that nothing it does stops the loop: whatever it throws, and when it never returns, is an answer like another. It runs on a
/// daemon thread, so a skill that hangs does not keep the tool from ending.
public final class GuardedSkill {

    /// What a command gives one call of a skill.
    public static final Duration USUAL_LIMIT = Duration.ofSeconds(60);

    private static final long STACK_BYTES = 16L << 20;

    private final Skill skill;
    private final Duration limit;

    public GuardedSkill(Skill skill, Duration limit) {
        this.skill = skill;
        this.limit = limit;
    }

    /// What came of a call.
    public sealed interface Answer<T> {

        record Value<T>(T value) implements Answer<T> {}

        /// The skill's own refusal.
        record Refusal<T>(String reason, List<Blocker> blockers) implements Answer<T> {}

        /// The skill crashed, returned nothing or did not return in time.
        record Crash<T>(String reason) implements Answer<T> {}
    }

    public Answer<Assessment> assess(Deployment deployment, SkillContext context) {
        return call(() -> skill.assess(deployment, context), "assess");
    }

    public Answer<Deployment> apply(Deployment deployment, SkillContext context) {
        return call(() -> skill.apply(deployment, context), "apply");
    }

    public Answer<List<String>> warnings(Deployment before, Deployment after, SkillContext context) {
        return call(() -> List.copyOf(skill.warnings(before, after, context)), "warnings");
    }

    public Answer<Boolean> changesArithmetic(Deployment deployment, SkillContext context) {
        return call(() -> skill.changesArithmetic(deployment, context), "changesArithmetic");
    }

    private interface SkillCall<T> {
        T call() throws SkillFailure;
    }

    private <T> Answer<T> call(SkillCall<T> body, String method) {
        FutureTask<T> task = new FutureTask<>(body::call);
        Thread thread = new Thread(null, task, "skill " + method, STACK_BYTES);
        thread.setDaemon(true);
        thread.start();
        try {
            T value = task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
            return value == null ? new Answer.Crash<>(method + " returned null") : new Answer.Value<>(value);
        } catch (TimeoutException e) {
            thread.interrupt();
            return new Answer.Crash<>("%s did not return within %d s".formatted(method, limit.toSeconds()));
        } catch (ExecutionException e) {
            return e.getCause() instanceof SkillFailure failure
                    ? new Answer.Refusal<>(String.valueOf(failure.getMessage()).lines().findFirst().orElse(""), failure.blockers())
                    : new Answer.Crash<>("%s threw %s".formatted(method, SkillCatalog.firstLine(e)));
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            return new Answer.Crash<>(method + " was interrupted");
        }
    }
}
