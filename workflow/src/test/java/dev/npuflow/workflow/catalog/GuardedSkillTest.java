package dev.npuflow.workflow.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.FailureMode;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.skill.SkillFailure;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardedSkillTest {

    private static final PhasePlan EMPTY = new PhasePlan(List.of(), List.of(), List.of());
    private static final Deployment PLAN =
            new Deployment(new ModelShape("toy", 1, 64, 64, 4, 2, 16, 32, true, false, false, 1e-5, 2048), "npu2", EMPTY, EMPTY);
    private static final SkillContext CONTEXT = new SkillContext(Phase.DECODE, "npu2", new TreeMap<>(), _ -> List.of(), List.of());
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(200);

    @TempDir private Path folder;

    @Test void a_skill_that_works_is_answered_as_it_answers() {
        assertEquals(new Answer.Value<>(PLAN), apply((plan, _) -> plan));
    }

    @Test void a_refusal_is_told_as_one_in_plain_lines() {
        Blocker blocker = new Blocker("L1\n", "gemv", "too \u001b[31mlarge", "64 KiB", "");
        assertEquals(new Answer.Refusal<Deployment>("nothing to gain second line", List.of(new Blocker("L1", "gemv", "too  [31mlarge", "64 KiB", ""))), apply((_, _) -> {
            throw new SkillFailure("nothing to gain\nsecond line", List.of(blocker));
        }));
    }

    @Test void what_a_skill_throws_is_told_with_its_place_and_its_own_frames_alone() {
        SkillFault fault = crash((_, _) -> {
            throw new IllegalStateException("no\u001b[31m layer\n", new IllegalArgumentException("of 3"));
        });
        assertTrue(fault.reason().matches("apply threw IllegalArgumentException: of 3 \\(GuardedSkillTest\\.java:\\d+\\)"), fault.reason());
        assertEquals("IllegalStateException: no [31m layer", fault.trace().getFirst());
        assertTrue(fault.trace().get(1).startsWith("at dev.npuflow.workflow.catalog.GuardedSkillTest.lambda$"), fault.trace().toString());
        assertTrue(fault.trace().contains("caused by IllegalArgumentException: of 3"), fault.trace().toString());
        assertTrue(fault.trace().stream().noneMatch(line -> line.contains("GuardedCall") || line.contains("java.base") || line.contains("FutureTask")), fault.trace().toString());
    }

    @Test void a_missing_class_is_a_crash_and_not_the_end_of_the_tool() {
        assertTrue(crash((_, _) -> {
            throw new NoClassDefFoundError("org/example/Gone");
        }).reason().startsWith("apply threw NoClassDefFoundError: org/example/Gone"));
    }

    @Test void endless_recursion_is_a_crash_that_names_the_circle_once() {
        SkillFault fault = crash((plan, _) -> recurse(plan));
        assertTrue(fault.reason().startsWith("apply threw StackOverflowError"), fault.reason());
        assertEquals("and so on, without an end", fault.trace().getLast());
        assertTrue(fault.trace().size() <= 6 && fault.trace().get(1).contains("GuardedSkillTest.recurse"), fault.trace().toString());
    }

    @Test void a_long_way_down_is_cut() {
        SkillFault fault = crash((plan, _) -> down(plan, 100));
        assertEquals(14, fault.trace().size());
        assertTrue(fault.trace().getLast().matches("and \\d+ more"), fault.trace().getLast());
    }

    @Test void a_failed_assertion_is_a_crash() {
        assertTrue(crash((_, _) -> {
            throw new AssertionError("impossible");
        }).reason().startsWith("apply threw AssertionError: impossible (GuardedSkillTest.java:"));
    }

    @Test void an_exception_that_will_not_be_told_is_a_crash_all_the_same() {
        assertEquals("apply threw Unspeakable", crash((_, _) -> {
            throw new Unspeakable();
        }).reason());
    }

    @Test void a_circle_of_causes_comes_to_an_end() {
        assertTrue(crash((_, _) -> {
            IllegalStateException first = new IllegalStateException("first");
            throw new IllegalStateException("second", first.initCause(new IllegalStateException("third", first)));
        }).reason().startsWith("apply threw IllegalStateException: third"));
    }

    @SuppressWarnings({"NullAway", "DataFlowIssue"})
    @Test void null_is_a_crash() {
        assertEquals("apply returned null", crash((_, _) -> null).reason());
        Skill skill = new OneMethod((plan, _) -> plan, null);
        assertEquals(new Answer.Crash<Assessment>(SkillFault.of("assess returned null")), guarded(skill, LONG).assess(PLAN, CONTEXT));
        Skill silent = new OneMethod((plan, _) -> plan, Assessment.applies(null));
        assertEquals(new Answer.Crash<Assessment>(SkillFault.of("assess returned no reason")), guarded(silent, LONG).assess(PLAN, CONTEXT));
    }

    @SuppressWarnings({"NullAway", "DataFlowIssue"})
    @Test void a_plan_that_the_ledger_could_not_hold_is_a_crash() {
        assertTrue(crash((plan, _) -> new Deployment(plan.model(), plan.device(), null, plan.decode())).reason()
                .startsWith("apply returned a plan that cannot be written and read again"));
    }

    @Test void a_skill_that_never_returns_is_left_behind_at_the_limit_and_says_where_it_hangs() {
        Answer<Deployment> answer = guarded(new OneMethod((plan, _) -> {
            while (plan != null) {
                LockSupport.parkNanos(1_000_000);
            }
            return plan;
        }, Assessment.applies("always")), SHORT).apply(PLAN, CONTEXT);
        SkillFault fault = ((Answer.Crash<Deployment>) answer).fault();
        assertTrue(fault.reason().startsWith("apply did not return within 200 ms"), fault.reason());
        assertTrue(fault.trace().getFirst().startsWith("at dev.npuflow.workflow.catalog.GuardedSkillTest.lambda$"), fault.trace().toString());
    }

    @Test void the_words_of_a_skill_are_plain_lines_and_not_without_end() {
        Skill wordy = new OneMethod((plan, _) -> plan, Assessment.applies("two\nlines \u202e" + "x".repeat(1000))) {
            @Override public List<String> warnings(Deployment before, Deployment after, SkillContext context) {
                return Stream.generate(() -> "a\tb").limit(1000).toList();
            }

            @Override public List<FailureMode> failureModes() {
                return List.of(new FailureMode("slow\u0007", "", "wait\n"));
            }
        };
        String reason = ((Answer.Value<Assessment>) guarded(wordy, LONG).assess(PLAN, CONTEXT)).value().reason();
        assertTrue(reason.startsWith("two lines  xxx") && reason.length() == 400, reason);
        List<String> warnings = ((Answer.Value<List<String>>) guarded(wordy, LONG).warnings(PLAN, PLAN, CONTEXT)).value();
        assertEquals(64, warnings.size());
        assertEquals("a b", warnings.getFirst());
        assertEquals(new Answer.Value<>(List.of(new FailureMode("slow", "", "wait"))), guarded(wordy, LONG).failureModes());
    }

    /// Each class is compiled and loaded from a jar: only there can its calls be seen.
    @ParameterizedTest @CsvSource(delimiter = '|', value = {
            "System.exit(0)                                       | called System.exit(0)  | (Ends.java:5)",
            "Runtime.getRuntime().exit(3)                         | called Runtime.exit(3) | (Ends.java:5)",
            "if (plan != null) Runtime.getRuntime().halt(1)       | called Runtime.halt(1) | (Ends.java:5)",
            "Runnable end = () -> System.exit(7); end.run()       | called System.exit(7)  | (Ends.java:5)",
            "try { System.exit(1); } finally { plan.hash(); }     | called System.exit(1)  | (Ends.java:5)"})
    void a_skill_does_not_end_the_process(String statement, String what, String where) throws IOException {
        new SkillJar(folder).write("ends.jar", "Ends", "public Deployment apply(Deployment plan, SkillContext context) { %s; return plan; }".formatted(statement));
        LoadedSkill loaded = SkillCatalog.load(Optional.of(folder)).select(List.of("a-skill")).getFirst();
        SkillFault fault = ((Answer.Crash<Deployment>) new GuardedSkill(loaded, LONG).apply(PLAN, CONTEXT)).fault();
        assertEquals("apply %s %s".formatted(what, where), fault.reason());
        assertTrue(fault.trace().get(1).startsWith("at Ends."), fault.trace().toString());
    }

    @Test void a_method_that_is_merely_called_exit_is_left_alone() throws IOException {
        new SkillJar(folder).write("exits.jar", "Exits", "static Deployment kept; static void exit(int code) { } "
                + "public Deployment apply(Deployment plan, SkillContext context) { exit(1); return plan; }");
        LoadedSkill loaded = SkillCatalog.load(Optional.of(folder)).select(List.of("a-skill")).getFirst();
        assertEquals(new Answer.Value<>(PLAN), new GuardedSkill(loaded, LONG).apply(PLAN, CONTEXT));
    }

    @SuppressWarnings("InfiniteRecursion")
    private static Deployment recurse(Deployment plan) {
        Deployment deeper = recurse(plan);
        return deeper.withPhase(Phase.DECODE, plan.decode());
    }

    @SuppressWarnings("InfiniteRecursion")
    private static Deployment down(Deployment plan, int levels) {
        if (levels == 0) {
            throw new IllegalStateException("the bottom");
        }
        Deployment deeper = down(plan, levels - 1);
        return deeper.withPhase(Phase.DECODE, plan.decode());
    }

    private interface Body {
        Deployment apply(Deployment deployment, SkillContext context) throws SkillFailure;
    }

    private static final class Unspeakable extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override public String getMessage() {
            throw new IllegalStateException("no comment");
        }
    }

    private static class OneMethod implements Skill {

        private final Body body;
        private final Assessment assessment;

        OneMethod(Body body, Assessment assessment) {
            this.body = body;
            this.assessment = assessment;
        }

        @Override public String name() {
            return "under-test";
        }

        @Override public Assessment assess(Deployment deployment, SkillContext context) {
            return assessment;
        }

        @Override public Deployment apply(Deployment deployment, SkillContext context) throws SkillFailure {
            return body.apply(deployment, context);
        }
    }

    private static SkillFault crash(Body body) {
        return assertInstanceOf(Answer.Crash.class, apply(body)).fault();
    }

    private static Answer<Deployment> apply(Body body) {
        return guarded(new OneMethod(body, Assessment.applies("always")), LONG).apply(PLAN, CONTEXT);
    }

    private static GuardedSkill guarded(Skill skill, Duration limit) {
        return new GuardedSkill(new LoadedSkill("under-test", skill, "given"), limit);
    }
}
