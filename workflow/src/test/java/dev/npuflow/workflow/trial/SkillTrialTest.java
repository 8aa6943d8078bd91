package dev.npuflow.workflow.trial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.skill.SkillFailure;
import dev.npuflow.workflow.catalog.GuardedSkill;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.catalog.SkillFault;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SkillTrialTest {

    private static final PhasePlan EMPTY = new PhasePlan(List.of(), List.of(), List.of());
    private static final Deployment START =
            new Deployment(new ModelShape("toy", 1, 64, 64, 4, 2, 16, 32, true, false, false, 1e-5, 2048), "npu2", EMPTY, EMPTY);
    private static final SkillContext CONTEXT = new SkillContext(Phase.DECODE, "npu2", new TreeMap<>(), _ -> List.of(), List.of());
    private static final Blocker BLOCKER = new Blocker("L2_CAPACITY", "gemv", "too large", "512 KiB", "Use a smaller tile.");
    private static final Function<Deployment, List<Blocker>> COMPILES = _ -> List.of();

    private final AtomicInteger asked = new AtomicInteger();

    @Test void a_plan_that_compiles_is_told_with_the_reason_and_what_the_skill_says_of_it() {
        Trial.Compiled compiled = assertInstanceOf(Trial.Compiled.class, run(new Trying((_, _) -> decode("new")) {
            @Override public boolean changesArithmetic() {
                return true;
            }

            @Override public List<String> warnings(Deployment before, Deployment after, SkillContext context) {
                return List.of("mind the gap");
            }
        }, COMPILES));
        assertEquals(new Trial.Compiled(decode("new"), "always", true, List.of("mind the gap")), compiled);
    }

    @Test void a_skill_that_makes_another_plan_of_the_same_question_is_nondeterministic() {
        Trial trial = run(new Trying((_, _) -> decode("plan-" + asked.incrementAndGet())), COMPILES);
        assertEquals(new Trial.NotRepeatable(decode("plan-1").hash(), decode("plan-2").hash()), trial);
    }

    @Test void a_skill_that_makes_another_plan_after_a_blocker_is_not() {
        Trial trial = run(new Trying((_, context) -> decode("plan-" + context.earlierAttempts().size())), plan -> plan.equals(decode("plan-0")) ? List.of(BLOCKER) : List.of());
        assertEquals(decode("plan-1"), assertInstanceOf(Trial.Compiled.class, trial).plan());
    }

    @Test void a_skill_that_fails_when_it_is_asked_again_is_told_so() {
        Trial thrown = run(new Trying((_, _) -> {
            if (asked.incrementAndGet() == 2) {
                throw new IllegalStateException("only once");
            }
            return decode("new");
        }), COMPILES);
        assertTrue(assertInstanceOf(Trial.Crashed.class, thrown).fault().reason().startsWith("asked again, apply threw IllegalStateException: only once"));
        asked.set(0);
        Trial refused = run(new Trying((_, _) -> {
            if (asked.incrementAndGet() == 2) {
                throw new SkillFailure("not now", List.of());
            }
            return decode("new");
        }), COMPILES);
        assertEquals(new Trial.Crashed(new SkillFault("apply made a plan, and refused when it was asked again: not now", List.of())), refused);
    }

    @Test void a_skill_that_cannot_say_whether_bits_change_is_not_taken_to_change_none() {
        Trial trial = run(new Trying((_, _) -> decode("new")) {
            @Override public boolean changesArithmetic() {
                throw new IllegalStateException("who knows");
            }
        }, COMPILES);
        assertTrue(assertInstanceOf(Trial.Crashed.class, trial).fault().reason().startsWith("changesArithmetic threw IllegalStateException: who knows"));
    }

    @Test void warnings_that_fail_are_a_warning() {
        Trial trial = run(new Trying((_, _) -> decode("new")) {
            @Override public List<String> warnings(Deployment before, Deployment after, SkillContext context) {
                throw new IllegalStateException("none at hand");
            }
        }, COMPILES);
        assertTrue(assertInstanceOf(Trial.Compiled.class, trial).warnings().getFirst().startsWith("warnings threw IllegalStateException: none at hand"));
    }

    @Test void the_watch_sees_every_answer_and_only_plans_of_the_right_phase_are_compiled() {
        List<String> seen = new ArrayList<>();
        TrialWatch watch = new TrialWatch() {
            @Override public void answered(Deployment plan) {
                seen.add("answered");
            }

            @Override public void made(Deployment plan) {
                seen.add("made");
            }

            @Override public void blocked(int attempt, Deployment plan, List<Blocker> blockers) {
                seen.add("blocked " + attempt);
            }
        };
        assertEquals(new Trial.TouchedAnotherPhase(), trial(new Trying((_, _) -> START.withPhase(Phase.PREFILL, decode("x").decode())), COMPILES, watch).run());
        assertEquals(new Trial.ChangedNothing(), trial(new Trying((plan, _) -> plan), COMPILES, watch).run());
        assertEquals(List.of("answered", "answered"), seen);
        assertEquals(new Trial.DoesNotCompile(2, BLOCKER, false), trial(new Trying((_, _) -> decode("x")), _ -> List.of(BLOCKER), watch).run());
        assertEquals(List.of("answered", "made", "blocked 1", "answered", "made", "blocked 2"), seen.subList(2, seen.size()));
    }

    private Trial run(Skill skill, Function<Deployment, List<Blocker>> compiler) {
        return trial(skill, compiler, TrialWatch.NONE).run();
    }

    private static SkillTrial trial(Skill skill, Function<Deployment, List<Blocker>> compiler, TrialWatch watch) {
        return new SkillTrial(new GuardedSkill(new LoadedSkill(skill.name(), skill, "given"), GuardedSkill.USUAL_LIMIT), START, CONTEXT, compiler, watch);
    }

    private static Deployment decode(String step) {
        HostOp op = new HostOp(step, HostKind.RMS_NORM, new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
        return START.withPhase(Phase.DECODE, new PhasePlan(List.of(op), List.of(), List.of()));
    }

    private interface Change {
        Deployment apply(Deployment plan, SkillContext context) throws SkillFailure;
    }

    private static class Trying implements Skill {

        private final Change change;

        Trying(Change change) {
            this.change = change;
        }

        @Override public String name() {
            return "trying";
        }

        @Override public Assessment assess(Deployment deployment, SkillContext context) {
            return Assessment.applies("always");
        }

        @Override public Deployment apply(Deployment deployment, SkillContext context) throws SkillFailure {
            return change.apply(deployment, context);
        }
    }
}
