package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.workflow.ledger.Ledger;
import dev.npuflow.workflow.ledger.RunId;
import dev.npuflow.workflow.phase.PhaseOptions;
import dev.npuflow.workflow.phase.ReasonCode;
import dev.npuflow.workflow.phase.RecordedPhase;
import dev.npuflow.workflow.phase.SkillRecord;
import dev.npuflow.workflow.report.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Skills that do what no skill should, in one phase with one that works: each is skipped, its row says what it did, and the phase goes on.
class MisbehavingSkillsTest {

    @TempDir private static Path workspace;
    private static Map<String, SkillRecord> records;
    private static String document;

    @BeforeAll static void run() {
        AtomicInteger calls = new AtomicInteger();
        Skill[] skills = {
            applying("sleeps", MisbehavingSkillsTest::asleep),
            applying("throws", plan -> {
                throw new IllegalStateException("no \u001b[31mlayer | <b>", new ArithmeticException("/ by zero"));
            }),
            applying("fails-an-assertion", plan -> {
                throw new AssertionError("impossible");
            }),
            applying("recurses", MisbehavingSkillsTest::recurse),
            applying("returns-nothing", plan -> null),
            applying("changes-its-input", plan -> {
                plan.decode().layer().removeFirst();
                return plan;
            }),
            applying("answers-differently", plan -> tiled(plan, 1 + calls.incrementAndGet())),
            applying("has-odd-names", plan -> plan.mapCalls(Phase.DECODE, call -> call.withLaunches(call.launches().stream()
                    .map(launch -> launch.withName("\u001b[31m" + launch.name())).toList()))),
            applying("starts-a-thread", plan -> {
                new Thread(() -> {
                    throw new IllegalStateException("in a thread of its own");
                }, "its own").start();
                return tiled(plan, 1);
            }),
            assessing("gives-no-reason", () -> Assessment.notApplicable(null)),
            assessing("assesses-nothing", () -> null),
            assessing("cannot-assess", () -> {
                throw new IllegalStateException("which plan?");
            })};
        try (TinyKjv tiny = TinyKjv.open(workspace); Ledger ledger = Ledger.open(workspace)) {
            RunId run = ledger.beginRun(tiny.key(), new TreeMap<>());
            PhaseOptions options = new PhaseOptions(List.of(), new TreeMap<>(), true, true, 1, 4, Duration.ofSeconds(5));
            records = tiny.phase5(tiny.target, ledger, run, options, skills).skills().stream().collect(Collectors.toMap(SkillRecord::skill, found -> found));
            document = new RecordedPhase(ledger, run).document(Phase.DECODE, "PASS", List.of()).render();
        }
    }

    @ParameterizedTest @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "sleeps              | SKILL_CRASHED    | assess did not return within 5 s \\(MisbehavingSkillsTest.java:\\d+\\)",
        "throws              | SKILL_CRASHED    | assess threw ArithmeticException: / by zero \\(MisbehavingSkillsTest.java:\\d+\\)",
        "fails-an-assertion  | SKILL_CRASHED    | assess threw AssertionError: impossible \\(MisbehavingSkillsTest.java:\\d+\\)",
        "recurses            | SKILL_CRASHED    | assess threw StackOverflowError.*",
        "returns-nothing     | SKILL_CRASHED    | assess returned a proposal without a plan",
        "changes-its-input   | SKILL_CRASHED    | assess threw UnsupportedOperationException \\(MisbehavingSkillsTest.java:\\d+\\)",
        "answers-differently | NONDETERMINISTIC | nondeterministic: asked twice, it gave plan [0-9a-f]{12} and plan [0-9a-f]{12}",
        "has-odd-names       | SKILL_CRASHED    | assess returned a plan that has a name with a control character, a quote or a backslash: .*",
        "gives-no-reason     | SKILL_CRASHED    | assess returned no reason",
        "assesses-nothing    | SKILL_CRASHED    | assess returned null",
        "cannot-assess       | SKILL_CRASHED    | assess threw IllegalStateException: which plan\\? \\(MisbehavingSkillsTest.java:\\d+\\)"})
    void its_row_says_what_a_skill_did(String skill, ReasonCode code, String reason) {
        SkillRecord found = records.get(skill);
        assertEquals(code, found.code());
        assertEquals(Outcome.SKIPPED, found.outcome());
        assertTrue(found.reason().matches(reason), found.reason());
        assertTrue(document.contains("| %s | skipped |".formatted(skill)), document);
    }

    @Test void a_skill_that_only_starts_a_thread_is_judged_by_its_plan() {
        assertEquals(ReasonCode.COMPILES_ONLY, records.get("starts-a-thread").code());
    }

    @Test void the_document_shows_the_skill_s_own_frames_and_no_others() {
        List<String> lines = document.lines().dropWhile(line -> !line.startsWith("- throws, skipped")).skip(1).takeWhile(line -> line.startsWith("  ")).toList();
        assertEquals("  - IllegalStateException: no  [31mlayer | \\<b>", lines.getFirst());
        assertTrue(lines.get(1).startsWith("  - at dev.npuflow.acceptance.MisbehavingSkillsTest.lambda$"), lines.toString());
        assertEquals("  - caused by ArithmeticException: / by zero", lines.get(lines.size() / 2));
        assertTrue(lines.size() <= 16 && lines.stream().noneMatch(line -> line.contains("dev.npuflow.workflow") || line.contains("java.util")), lines.toString());
        assertFalse(document.contains("\u001b"));
    }

    @Test void the_document_shows_where_a_skill_hangs() {
        assertTrue(document.contains("  - at dev.npuflow.acceptance.MisbehavingSkillsTest.asleep(MisbehavingSkillsTest.java:"), document);
    }

    private static Skill applying(String name, UnaryOperator<Deployment> change) {
        return new Odd(name, plan -> Assessment.proposal(change.apply(plan), "always"));
    }

    private static Skill assessing(String name, Judgement judgement) {
        return new Odd(name, _ -> judgement.assess());
    }

    private interface Judgement {
        Assessment assess();
    }

    private record Odd(String name, Function<Deployment, Assessment> answer) implements Skill {

        @Override public Assessment assess(Deployment deployment, SkillContext context) {
            return answer.apply(deployment);
        }
    }

    private static Deployment asleep(Deployment plan) {
        try {
            Thread.sleep(Duration.ofHours(1));
        } catch (InterruptedException told) {
            Thread.currentThread().interrupt();
        }
        return plan;
    }

    @SuppressWarnings("InfiniteRecursion")
    private static Deployment recurse(Deployment plan) {
        return recurse(plan).withPhase(Phase.DECODE, plan.decode());
    }

    private static Deployment tiled(Deployment plan, int loopTiling) {
        return plan.mapCalls(Phase.DECODE, call -> call.withOptions(new ElfOptions(true, loopTiling)));
    }
}
