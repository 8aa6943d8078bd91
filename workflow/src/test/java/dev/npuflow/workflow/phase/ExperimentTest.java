package dev.npuflow.workflow.phase;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.Evidence;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.ledger.Plans;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One skill on one plan, where it comes to no measurement.
class ExperimentTest {

    private static final String BLOCKED = "BD_COUNT in launch: out of buffer descriptors";

    @TempDir private Path workspace;
    @AutoClose private LoopBench bench;

    @BeforeEach void begin() {
        bench = new LoopBench(workspace);
    }

    private static ScriptedTarget target() {
        return new ScriptedTarget().takes("start", 10);
    }

    private SkillRecord tried(ScriptedTarget target, LoopBench.Change change) {
        return LoopBench.only(bench.run(target, LoopBench.skill("some-skill", change)));
    }

    private static Deployment decode(Deployment before, String name) {
        return before.withPhase(Phase.DECODE, Plans.plan(name).phase(Phase.DECODE));
    }

    @Test void a_skill_that_does_not_apply_is_skipped_with_its_reason_and_its_blockers() {
        SkillRecord idle = LoopBench.only(bench.run(target(), assessing(Assessment.notApplicable("no group fits",
                List.of(new Blocker("L2_CAPACITY", "gemv", "too large", "512 KiB", "Use a smaller tile."))))));
        assertEquals(ReasonCode.DOES_NOT_APPLY, idle.code());
        assertEquals("no group fits", idle.reason());
        assertTrue(idle.planAfter().isEmpty());
        assertEquals(List.of("gemv: L2_CAPACITY: too large. Use a smaller tile."), idle.blockers());
    }

    private static LoadedSkill assessing(Assessment assessment) {
        return LoopBench.loaded(new Skill() {
            @Override public String name() {
                return "some-skill";
            }

            @Override public Assessment assess(Deployment deployment, SkillContext context) {
                return assessment;
            }
        });
    }

    @Test void a_skill_that_changes_nothing_is_skipped() {
        assertEquals(ReasonCode.CHANGED_NOTHING, tried(target(), (before, _) -> before).code());
    }

    @Test void a_skill_that_changes_the_other_phase_is_skipped_and_says_which_it_may_change() {
        SkillRecord other = tried(target(), (before, _) -> decode(before, "x").withPhase(Phase.PREFILL, Plans.plan("y").phase(Phase.PREFILL)));
        assertEquals(ReasonCode.TOUCHED_ANOTHER_PHASE, other.code());
        assertEquals("changed more than the decode plan", other.reason());
    }

    @Test void a_skill_is_told_of_its_attempts_and_may_make_another_plan() {
        ScriptedTarget target = target().compiles("large", false).takes("small", 8);
        SkillRecord second = tried(target, (before, context) -> decode(before, context.earlierAttempts().isEmpty() ? "large" : "small"));
        assertEquals(ReasonCode.FASTER, second.code());
        assertEquals(1, second.blockers().size());
        assertEquals("attempt 1, plan %s, 0 XRT calls a pass: launch: BD_COUNT: out of buffer descriptors. Use a smaller group.".formatted(ScriptedTarget.plan("large").hash().substring(0, 12)),
                second.blockers().getFirst());
        assertEquals(List.of("APPLIED applied", "APPLIED does_not_compile", "APPLIED applied", "COMPILED compiles", "SELF_CHECKED pass", "VERIFIED pass", "MEASURED measured",
                "KEPT faster"), bench.history(1));
    }

    @Test void a_skill_that_makes_the_plan_that_did_not_compile_again_is_stopped() {
        SkillRecord stubborn = tried(target().compiles("large", false), (before, _) -> decode(before, "large"));
        assertEquals(ReasonCode.DOES_NOT_COMPILE, stubborn.code());
        assertEquals(BLOCKED, stubborn.reason());
        assertEquals(2, stubborn.blockers().size());
    }

    @Test void a_skill_that_has_no_other_plan_left_says_after_how_many_attempts() {
        SkillRecord given = tried(target().compiles("large", false), (before, context) -> context.earlierAttempts().isEmpty() ? decode(before, "large") : before);
        assertEquals(ReasonCode.DOES_NOT_COMPILE, given.code());
        assertEquals(BLOCKED + "; no other plan is left after 1 attempts", given.reason());
    }

    @Test void a_skill_that_always_has_another_plan_is_stopped_after_24_compilations() {
        ScriptedTarget target = target();
        IntStream.range(0, 100).forEach(i -> target.compiles("p" + i, false));
        SkillRecord endless = tried(target, (before, context) -> decode(before, "p" + context.earlierAttempts().size()));
        assertEquals(ReasonCode.DOES_NOT_COMPILE, endless.code());
        assertEquals(24, endless.blockers().size());
    }

    @Test void a_self_check_that_is_switched_off_leaves_the_fault_to_the_gate() {
        bench.selfCheck = false;
        ScriptedTarget target = target().takes("fast", 8).failsTheSelfCheck("fast", "layer 0 differs");
        assertEquals(ReasonCode.FASTER, LoopBench.only(bench.run(target, "fast")).code());
        assertFalse(target.asked().contains("self-check fast"));
    }

    @Test void what_a_skill_warns_of_and_shows_stands_in_its_record_one_line_each() {
        SkillRecord wary = LoopBench.only(bench.run(target().takes("fast", 8), assessing(Assessment.proposal(ScriptedTarget.plan("fast"), "always")
                .withWarnings(List.of("two\nlines")).withEvidence(List.of(Evidence.of("Title\n", "fact\u0007"))))));
        assertEquals(List.of("two lines"), wary.warnings());
        assertEquals(List.of(Evidence.of("Title", "fact")), wary.evidence());
    }

    @Test void a_kept_skill_says_both_times_and_the_gain() {
        SkillRecord fast = tried(target().takes("fast", 8), (before, _) -> decode(before, "fast"));
        assertEquals("10.000 → 8.000 ms/token, 20.0 % less", fast.reason());
        assertEquals(8, fast.after().getAsDouble());
    }

    @Test void every_stage_of_an_experiment_is_told_as_it_begins() {
        bench.run(target().takes("slow", 12), "slow");
        assertEquals(Stream.of("assessing", "compiling", "self-check", "verifying", "measuring", "reverting", "reverted").map("slow: "::concat).toList(),
                bench.told.stream().filter(line -> line.startsWith("slow: ")).toList());
    }

    @Test void a_wrong_plan_is_localized_and_a_slow_one_is_not() {
        bench.run(target().takes("wrong", 8).takes("slow", 12).failsTheSelfCheck("wrong", "layer 0 differs"), "wrong", "slow");
        assertEquals(List.of(ScriptedTarget.plan("wrong")), bench.localized());
        assertEquals(List.of("APPLIED applied", "COMPILED compiles", "SELF_CHECKED fail", "VERIFIED localized", "MEASURED measured", "REVERTED self_check_failed"),
                bench.history(1));
        assertEquals(List.of("APPLIED applied", "COMPILED compiles", "SELF_CHECKED pass", "VERIFIED pass", "MEASURED measured", "MEASURED measured", "REVERTED not_faster"),
                bench.history(2));
    }
}
