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
import dev.npuflow.skill.Evidence;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardedSkillTest {

    private static final PhasePlan EMPTY = new PhasePlan(List.of(), List.of(), List.of());
    private static final Deployment PLAN =
            new Deployment(new ModelShape("toy", 1, 64, 64, 4, 2, 16, 32, true, false, false, 1e-5, 2048), "npu2", EMPTY, EMPTY);
    private static final SkillContext CONTEXT = new SkillContext(Phase.DECODE, Set.of(), new TreeMap<>(), _ -> List.of(), List.of());
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(200);

    @TempDir private Path folder;

    @Test void a_skill_that_works_is_answered_as_it_answers() {
        assertEquals(new Answer.Value<>(Assessment.proposal(PLAN, "always")), assess((plan, _) -> plan));
    }

    @Test void why_it_does_not_apply_is_told_in_plain_lines() {
        Blocker blocker = new Blocker("L1\n", "gemv", "too \u001b[31mlarge", "64 KiB", "");
        assertEquals(new Answer.Value<>(Assessment.notApplicable("nothing to gain second line", List.of(new Blocker("L1", "gemv", "too  [31mlarge", "64 KiB", "")))),
                guarded(answering(Assessment.notApplicable("nothing to gain\nsecond line", List.of(blocker))), LONG).assess(PLAN, CONTEXT));
    }

    @Test void what_a_skill_throws_is_told_with_its_place_and_its_own_frames_alone() {
        SkillFault fault = crash((_, _) -> {
            throw new IllegalStateException("no\u001b[31m layer\n", new IllegalArgumentException("of 3"));
        });
        assertTrue(fault.reason().matches("assess threw IllegalArgumentException: of 3 \\(GuardedSkillTest\\.java:\\d+\\)"), fault.reason());
        assertEquals("IllegalStateException: no [31m layer", fault.trace().getFirst());
        assertTrue(fault.trace().get(1).startsWith("at dev.npuflow.workflow.catalog.GuardedSkillTest.lambda$"), fault.trace().toString());
        assertTrue(fault.trace().contains("caused by IllegalArgumentException: of 3"), fault.trace().toString());
        assertTrue(fault.trace().stream().noneMatch(line -> line.contains("GuardedCall") || line.contains("java.base") || line.contains("FutureTask")), fault.trace().toString());
    }

    @Test void a_missing_class_is_a_crash_and_not_the_end_of_the_tool() {
        assertTrue(crash((_, _) -> {
            throw new NoClassDefFoundError("org/example/Gone");
        }).reason().startsWith("assess threw NoClassDefFoundError: org/example/Gone"));
    }

    @Test void endless_recursion_is_a_crash_that_names_the_circle_once() {
        SkillFault fault = crash((plan, _) -> recurse(plan));
        assertTrue(fault.reason().startsWith("assess threw StackOverflowError"), fault.reason());
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
        }).reason().startsWith("assess threw AssertionError: impossible (GuardedSkillTest.java:"));
    }

    @Test void an_exception_that_will_not_be_told_is_a_crash_all_the_same() {
        assertEquals("assess threw Unspeakable", crash((_, _) -> {
            throw new Unspeakable();
        }).reason());
    }

    @Test void a_circle_of_causes_comes_to_an_end() {
        assertTrue(crash((_, _) -> {
            IllegalStateException first = new IllegalStateException("first");
            throw new IllegalStateException("second", first.initCause(new IllegalStateException("third", first)));
        }).reason().startsWith("assess threw IllegalStateException: third"));
    }

    @SuppressWarnings({"NullAway", "DataFlowIssue"})
    @Test void null_is_a_crash() {
        assertEquals("assess returned a proposal without a plan", crash((_, _) -> null).reason());
        assertEquals(new Answer.Crash<Assessment>(SkillFault.of("assess returned null")), guarded(answering(null), LONG).assess(PLAN, CONTEXT));
        for (Assessment silent : List.of(Assessment.notApplicable(null), Assessment.proposal(PLAN, null))) {
            assertEquals(new Answer.Crash<Assessment>(SkillFault.of("assess returned no reason")), guarded(answering(silent), LONG).assess(PLAN, CONTEXT));
        }
    }

    @SuppressWarnings({"NullAway", "DataFlowIssue"})
    @Test void a_plan_that_the_ledger_could_not_hold_is_a_crash() {
        assertTrue(crash((plan, _) -> new Deployment(plan.model(), plan.device(), null, plan.decode())).reason()
                .startsWith("assess returned a plan that cannot be written and read again"));
    }

    @Test void a_skill_that_never_returns_is_left_behind_at_the_limit_and_says_where_it_hangs() {
        Answer<Assessment> answer = guarded(proposing((plan, _) -> {
            while (plan != null) {
                LockSupport.parkNanos(1_000_000);
            }
            return plan;
        }), SHORT).assess(PLAN, CONTEXT);
        SkillFault fault = ((Answer.Crash<Assessment>) answer).fault();
        assertTrue(fault.reason().startsWith("assess did not return within 200 ms"), fault.reason());
        assertTrue(fault.trace().getFirst().startsWith("at dev.npuflow.workflow.catalog.GuardedSkillTest.lambda$"), fault.trace().toString());
    }

    @Test void the_words_of_a_skill_are_plain_lines_and_not_without_end() {
        List<String> endless = Collections.nCopies(1000, "a\tb");
        Skill wordy = answering(new Assessment.Proposal(PLAN, "two\nlines \u202e" + "x".repeat(1000), false, endless,
                Collections.nCopies(1000, new Evidence("title\u0007", endless, List.of("st\u001bep"), List.of()))));
        Assessment.Proposal said = (Assessment.Proposal) ((Answer.Value<Assessment>) guarded(wordy, LONG).assess(PLAN, CONTEXT)).value();
        assertTrue(said.reason().startsWith("two lines  xxx") && said.reason().length() == 400, said.reason());
        assertEquals(Collections.nCopies(64, "a b"), said.warnings());
        assertEquals(Collections.nCopies(32, new Evidence("title", Collections.nCopies(64, "a b"), List.of("st ep"), List.of())), said.evidence());
    }

    /// Each class is compiled and loaded from a jar: only there can its calls be seen.
    @ParameterizedTest @CsvSource(delimiter = '|', value = {
            "System.exit(0)                                       | called System.exit(0)  | (Ends.java:5)",
            "Runtime.getRuntime().exit(3)                         | called Runtime.exit(3) | (Ends.java:5)",
            "if (plan != null) Runtime.getRuntime().halt(1)       | called Runtime.halt(1) | (Ends.java:5)",
            "Runnable end = () -> System.exit(7); end.run()       | called System.exit(7)  | (Ends.java:5)",
            "try { System.exit(1); } finally { plan.hash(); }     | called System.exit(1)  | (Ends.java:5)"})
    void a_skill_does_not_end_the_process(String statement, String what, String where) throws IOException {
        new SkillJar(folder).write("ends.jar", "Ends", "public Assessment assess(Deployment plan, SkillContext context) { %s; return Assessment.proposal(plan, \"always\"); }".formatted(statement));
        LoadedSkill loaded = SkillCatalog.load(Optional.of(folder)).select(List.of("a-skill")).getFirst();
        SkillFault fault = ((Answer.Crash<Assessment>) new GuardedSkill(loaded, LONG).assess(PLAN, CONTEXT)).fault();
        assertEquals("assess %s %s".formatted(what, where), fault.reason());
        assertTrue(fault.trace().get(1).startsWith("at Ends."), fault.trace().toString());
    }

    @Test void a_method_that_is_merely_called_exit_is_left_alone() throws IOException {
        new SkillJar(folder).write("exits.jar", "Exits", "static Deployment kept; static void exit(int code) { } "
                + "public Assessment assess(Deployment plan, SkillContext context) { exit(1); return Assessment.proposal(plan, \"always\"); }");
        LoadedSkill loaded = SkillCatalog.load(Optional.of(folder)).select(List.of("a-skill")).getFirst();
        assertEquals(new Answer.Value<>(Assessment.proposal(PLAN, "always")), new GuardedSkill(loaded, LONG).assess(PLAN, CONTEXT));
    }

    /// Each is put back after the call, whether it returned or threw.
    @ParameterizedTest @CsvSource(delimiter = '|', value = {
            "Locale.setDefault(Locale.of(\"ar\", \"EG\"))                            | the default locale",
            "Locale.setDefault(Locale.Category.FORMAT, Locale.of(\"tr\", \"TR\"))    | the default locale",
            "TimeZone.setDefault(TimeZone.getTimeZone(\"Asia/Kathmandu\"))            | the default time zone",
            "System.setOut(new java.io.PrintStream(java.io.OutputStream.nullOutputStream())) | a standard stream",
            "System.setErr(System.out)                                              | a standard stream",
            "System.setIn(java.io.InputStream.nullInputStream())                    | a standard stream",
            "System.setProperty(\"user.dir\", \"/\")                                  | system properties",
            "System.clearProperty(\"java.io.tmpdir\")                               | system properties",
            "System.setProperties(new Properties())                                 | system properties",
            "java.security.Security.removeProvider(\"SUN\")                         | the security providers",
            "Thread.setDefaultUncaughtExceptionHandler((t, e) -> { })               | what becomes of uncaught exceptions"})
    void what_a_skill_changes_of_the_process_is_put_back(String statement, String what) throws IOException {
        new SkillJar(folder).write("sets.jar", "Sets", "public Assessment assess(Deployment plan, SkillContext context) { %s; throw new IllegalStateException(\"and throws\"); }"
                .formatted(statement));
        GuardedSkill skill = new GuardedSkill(SkillCatalog.load(Optional.of(folder)).select(List.of("a-skill")).getFirst(), LONG);
        ProcessState before = ProcessState.now();
        assertInstanceOf(Answer.Crash.class, skill.assess(PLAN, CONTEXT));
        assertEquals(before, ProcessState.now());
        assertEquals(List.of(what), skill.processChanges());
        assertEquals(List.of(), before.restore(), "nothing is left to put back");
    }

    @Test void a_skill_that_changes_nothing_of_the_process_is_not_told_of() {
        GuardedSkill quiet = guarded(answering(Assessment.notApplicable("never")), LONG);
        quiet.assess(PLAN, CONTEXT);
        assertEquals(List.of(), quiet.processChanges());
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
        Deployment change(Deployment deployment, SkillContext context);
    }

    private static final class Unspeakable extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override public String getMessage() {
            throw new IllegalStateException("no comment");
        }
    }

    private static Skill answering(Assessment assessment) {
        return new Answering((_, _) -> assessment);
    }

    private static Skill proposing(Body body) {
        return new Answering((plan, context) -> Assessment.proposal(body.change(plan, context), "always"));
    }

    private record Answering(BiFunction<Deployment, SkillContext, Assessment> answer) implements Skill {

        @Override public String name() {
            return "under-test";
        }

        @Override public Assessment assess(Deployment deployment, SkillContext context) {
            return answer.apply(deployment, context);
        }
    }

    private static SkillFault crash(Body body) {
        return assertInstanceOf(Answer.Crash.class, assess(body)).fault();
    }

    private static Answer<Assessment> assess(Body body) {
        return guarded(proposing(body), LONG).assess(PLAN, CONTEXT);
    }

    private static GuardedSkill guarded(Skill skill, Duration limit) {
        return new GuardedSkill(LoadedSkill.given("under-test", skill), limit);
    }
}
