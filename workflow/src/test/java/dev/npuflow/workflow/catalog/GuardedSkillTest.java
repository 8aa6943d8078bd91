package dev.npuflow.workflow.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.skill.SkillFailure;
import dev.npuflow.workflow.catalog.GuardedSkill.Answer;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class GuardedSkillTest {

    private static final PhasePlan EMPTY = new PhasePlan(List.of(), List.of(), List.of());
    private static final Deployment PLAN =
            new Deployment(new ModelShape("toy", 1, 64, 64, 4, 2, 16, 32, true, false, false, 1e-5, 2048), "npu2", EMPTY, EMPTY);
    private static final SkillContext CONTEXT = new SkillContext(Phase.DECODE, "npu2", new TreeMap<>(), _ -> List.of(), List.of());

    @Test void a_skill_that_works_is_answered_as_it_answers() {
        assertEquals(new Answer.Value<>(PLAN), apply((plan, _) -> plan));
    }

    @Test void a_refusal_is_told_as_one() {
        Answer<Deployment> answer = apply((_, _) -> {
            throw new SkillFailure("nothing to gain\nsecond line", List.of());
        });
        assertEquals(new Answer.Refusal<Deployment>("nothing to gain", List.of()), answer);
    }

    @Test void a_missing_class_is_a_crash_and_not_the_end_of_the_tool() {
        assertCrash("NoClassDefFoundError", (_, _) -> {
            throw new NoClassDefFoundError("org/example/Gone");
        });
    }

    @Test void endless_recursion_is_a_crash() {
        assertCrash("StackOverflowError", (plan, _) -> recurse(plan));
    }

    @Test void a_failed_assertion_is_a_crash() {
        assertCrash("AssertionError: impossible", (_, _) -> {
            throw new AssertionError("impossible");
        });
    }

    @SuppressWarnings({"NullAway", "DataFlowIssue"})
    @Test void null_is_a_crash() {
        assertCrash("apply returned null", (_, _) -> null);
    }

    @Test void a_skill_that_never_returns_is_left_behind_at_the_limit() {
        assertCrash("did not return within", (plan, _) -> {
            while (plan != null) {
                LockSupport.parkNanos(1_000_000);
            }
            return plan;
        });
    }

    @SuppressWarnings("InfiniteRecursion")
    private static Deployment recurse(Deployment plan) {
        Deployment deeper = recurse(plan);
        return deeper.withPhase(Phase.DECODE, plan.decode());
    }

    private interface Body {
        Deployment apply(Deployment deployment, SkillContext context) throws SkillFailure;
    }

    private static void assertCrash(String reason, Body body) {
        Answer.Crash<Deployment> crash = assertInstanceOf(Answer.Crash.class, apply(body));
        assertTrue(crash.reason().contains(reason), crash.reason());
    }

    private static Answer<Deployment> apply(Body body) {
        Skill skill = new Skill() {
            @Override public String name() {
                return "under-test";
            }

            @Override public Assessment assess(Deployment deployment, SkillContext context) {
                return Assessment.applies("always");
            }

            @Override public Deployment apply(Deployment deployment, SkillContext context) throws SkillFailure {
                return body.apply(deployment, context);
            }
        };
        return new GuardedSkill(skill, Duration.ofMillis(500)).apply(PLAN, CONTEXT);
    }
}
