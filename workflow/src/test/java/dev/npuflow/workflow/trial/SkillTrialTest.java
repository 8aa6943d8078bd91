package dev.npuflow.workflow.trial;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Assessment.Proposal;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.DeviceTrait;
import dev.npuflow.skill.Evidence;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.skill.SkillOption;
import dev.npuflow.workflow.catalog.GuardedSkill;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SkillTrialTest {

    private static final PhasePlan EMPTY = new PhasePlan(List.of(), List.of(), List.of());
    private static final Deployment START =
            new Deployment(new ModelShape("toy", 1, 64, 64, 4, 2, 16, 32, true, false, false, 1e-5, 2048), "npu2", EMPTY, EMPTY);
    private static final Blocker BLOCKER = new Blocker("L2_CAPACITY", "gemv", "too large", "512 KiB", "Use a smaller tile.");
    private static final Function<Deployment, List<Blocker>> COMPILES = _ -> List.of();

    private final AtomicInteger asked = new AtomicInteger();

    @Test void a_plan_that_compiles_is_told_with_all_that_the_skill_says_of_it() {
        Proposal said = Assessment.proposal(decode("new"), "always").changingBits(true).withWarnings(List.of("mind the gap")).withEvidence(List.of(Evidence.of("Gap", "2 wide")));
        assertEquals(new Trial.Compiled(said), run((_, _) -> said, COMPILES));
    }

    @Test void a_skill_that_does_not_apply_is_told_with_its_blockers() {
        assertEquals(new Trial.NotApplicable("too wide", List.of(BLOCKER)), run((_, _) -> Assessment.notApplicable("too wide", List.of(BLOCKER)), COMPILES));
    }

    @Test void a_skill_that_makes_another_plan_of_the_same_question_is_nondeterministic() {
        Trial trial = run((_, _) -> proposal("plan-" + asked.incrementAndGet()), COMPILES);
        assertEquals(new Trial.NotRepeatable("plan %s and plan %s".formatted(decode("plan-1").hash().substring(0, 12), decode("plan-2").hash().substring(0, 12))), trial);
    }

    @Test void so_is_one_that_says_other_things_of_the_same_plan() {
        assertEquals(new Trial.NotRepeatable("a plan that changes bits, and the same plan that changes none"),
                run((_, _) -> proposal("new").changingBits(asked.incrementAndGet() % 2 == 1), COMPILES));
        String two = "one plan with two reasons, warnings or evidence";
        assertEquals(new Trial.NotRepeatable(two), run((_, _) -> Assessment.proposal(decode("new"), "reason " + asked.incrementAndGet()), COMPILES));
        assertEquals(new Trial.NotRepeatable(two), run((_, _) -> proposal("new").withWarnings(List.of("warning " + asked.incrementAndGet())), COMPILES));
        assertEquals(new Trial.NotRepeatable(two), run((_, _) -> proposal("new").withEvidence(List.of(Evidence.of("title " + asked.incrementAndGet()))), COMPILES));
    }

    @Test void a_skill_that_makes_another_plan_after_a_blocker_is_not() {
        Trial trial = run((_, context) -> proposal("plan-" + context.earlierAttempts().size()), plan -> plan.equals(decode("plan-0")) ? List.of(BLOCKER) : List.of());
        assertEquals(decode("plan-1"), assertInstanceOf(Trial.Compiled.class, trial).proposal().plan());
    }

    @Test void a_skill_that_has_no_other_plan_after_a_blocker_says_so_in_either_way() {
        assertEquals(new Trial.DoesNotCompile(1, BLOCKER, true),
                run((_, context) -> context.earlierAttempts().isEmpty() ? proposal("x") : Assessment.notApplicable("nothing left"), _ -> List.of(BLOCKER)));
        assertEquals(new Trial.DoesNotCompile(1, BLOCKER, true),
                run((plan, context) -> context.earlierAttempts().isEmpty() ? proposal("x") : Assessment.proposal(plan, "as it was"), _ -> List.of(BLOCKER)));
    }

    @Test void a_skill_that_fails_when_it_is_asked_again_is_told_so() {
        Trial thrown = run((_, _) -> {
            if (asked.incrementAndGet() == 2) {
                throw new IllegalStateException("only once");
            }
            return proposal("new");
        }, COMPILES);
        assertTrue(assertInstanceOf(Trial.Crashed.class, thrown).fault().reason().startsWith("asked again, assess threw IllegalStateException: only once"));
        asked.set(0);
        Trial refused = run((_, _) -> asked.incrementAndGet() == 2 ? Assessment.notApplicable("not now") : proposal("new"), COMPILES);
        assertEquals(new Trial.NotRepeatable("a plan, then none: not now"), refused);
    }

    @Test void a_skill_sees_the_options_that_it_declares_and_no_others() {
        SkillOption.Switch mine = new SkillOption.Switch("mine", false, "a switch");
        List<SkillContext> seen = new ArrayList<>();
        Skill skill = new Trying((_, context) -> {
            seen.add(context);
            return Assessment.notApplicable("never");
        }) {
            @Override public List<SkillOption> options() {
                return List.of(mine);
            }
        };
        bench(new TreeMap<>(Map.of("mine", "on", "others", "3")), COMPILES).run(LoadedSkill.given("trying", skill), START, Phase.DECODE, TrialWatch.NONE);
        assertEquals(Map.of("mine", "on"), seen.getFirst().options());
        assertTrue(seen.getFirst().isOn(mine));
        assertEquals(Set.of(DeviceTrait.CHAINED_CALLS), seen.getFirst().traits());
        bench(new TreeMap<>(), COMPILES).run(LoadedSkill.given("trying", skill), START, Phase.DECODE, TrialWatch.NONE);
        assertFalse(seen.getLast().isOn(mine));
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
        assertEquals(new Trial.TouchedAnotherPhase(), run((_, _) -> Assessment.proposal(START.withPhase(Phase.PREFILL, decode("x").decode()), "always"), COMPILES, watch));
        assertEquals(new Trial.ChangedNothing(), run((plan, _) -> Assessment.proposal(plan, "always"), COMPILES, watch));
        assertEquals(List.of("answered", "answered"), seen);
        assertEquals(new Trial.DoesNotCompile(2, BLOCKER, false), run((_, _) -> proposal("x"), _ -> List.of(BLOCKER), watch));
        assertEquals(List.of("answered", "made", "blocked 1", "answered", "made", "blocked 2"), seen.subList(2, seen.size()));
    }

    private static Trial run(Change change, Function<Deployment, List<Blocker>> compiler) {
        return run(change, compiler, TrialWatch.NONE);
    }

    private static Trial run(Change change, Function<Deployment, List<Blocker>> compiler, TrialWatch watch) {
        return bench(new TreeMap<>(), compiler).run(LoadedSkill.given("trying", new Trying(change)), START, Phase.DECODE, watch);
    }

    private static TrialBench bench(SortedMap<String, String> options, Function<Deployment, List<Blocker>> compiler) {
        return new TrialBench(Set.of(DeviceTrait.CHAINED_CALLS), _ -> List.of(), compiler, options, GuardedSkill.USUAL_LIMIT);
    }

    private static Proposal proposal(String step) {
        return Assessment.proposal(decode(step), "always");
    }

    private static Deployment decode(String step) {
        HostOp op = new HostOp(step, HostKind.RMS_NORM, new TreeMap<>(), new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
        return START.withPhase(Phase.DECODE, new PhasePlan(List.of(op), List.of(), List.of()));
    }

    private interface Change {
        Assessment of(Deployment plan, SkillContext context);
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
            return change.of(deployment, context);
        }
    }
}
