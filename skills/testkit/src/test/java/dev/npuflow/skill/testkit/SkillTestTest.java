package dev.npuflow.skill.testkit;

import static dev.npuflow.skill.testkit.TinyPlans.add;
import static dev.npuflow.skill.testkit.TinyPlans.call;
import static dev.npuflow.skill.testkit.TinyPlans.plan;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Transfer;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/// What the kit catches, with skills that are wrong on purpose.
class SkillTestTest {

    private static SkillTest testOf(UnaryOperator<Deployment> change) {
        return new SkillTest() {
            @Override public Skill skill() {
                return new Skill() {
                    @Override public String name() {
                        return "wrong-on-purpose";
                    }

                    @Override public Assessment assess(Deployment deployment, SkillContext context) {
                        return Assessment.proposal(change.apply(deployment), "always");
                    }
                };
            }

            @Override public Deployment inapplicable() {
                return plan(call("add", add("a", "b").into("c")));
            }
        };
    }

    private static Deployment mark(Deployment plan, Phase phase, Transfer transfer) {
        return plan.mapCalls(phase, call -> call.mapArguments(argument -> argument.readBack() ? argument.withTransfer(transfer) : argument));
    }

    @Test void a_skill_that_changes_nothing() {
        assertThrows(AssertionError.class, () -> testOf(plan -> plan).a_skill_says_why_it_applies_and_changes_the_plan_then());
        testOf(plan -> mark(plan, Phase.DECODE, Transfer.INTERMEDIATE)).a_skill_says_why_it_applies_and_changes_the_plan_then();
    }

    @Test void a_skill_that_always_applies() {
        assertThrows(AssertionError.class, () -> testOf(plan -> plan).a_skill_says_why_it_does_not_apply());
        assertThrows(AssertionError.class, () -> testOf(plan -> plan).a_skill_does_not_apply_twice());
    }

    @Test void a_skill_that_touches_the_other_phase() {
        assertThrows(AssertionError.class,
                () -> testOf(plan -> mark(plan, Phase.PREFILL, Transfer.STATIC)).a_skill_leaves_its_input_and_the_other_phase_alone());
        testOf(plan -> mark(plan, Phase.DECODE, Transfer.STATIC)).a_skill_leaves_its_input_and_the_other_phase_alone();
    }

    @Test void a_skill_that_answers_differently_each_time() {
        AtomicInteger calls = new AtomicInteger();
        assertThrows(AssertionError.class, () -> testOf(plan -> mark(plan, Phase.DECODE,
                calls.incrementAndGet() % 2 == 0 ? Transfer.STATIC : Transfer.INTERMEDIATE)).a_skill_gives_the_same_plan_for_the_same_input());
        testOf(plan -> mark(plan, Phase.DECODE, Transfer.STATIC)).a_skill_gives_the_same_plan_for_the_same_input();
    }

    @Test void a_stale_transfer_is_a_warning() {
        Deployment baseline = TinyModel.baseline();
        UnaryOperator<Deployment> stale = plan -> plan.mapCalls(Phase.DECODE, call -> call.mapArguments(
                argument -> argument.name().equals("rope_q") ? argument.withTransfer(Transfer.STATIC) : argument));
        assertEquals(1, testOf(stale).given(baseline).warnings().size());
        assertEquals(0, testOf(plan -> mark(plan, Phase.DECODE, Transfer.INTERMEDIATE)).given(baseline).warnings().size());
    }

    @Test void a_skill_that_nobody_loads_or_describes() {
        assertThrows(AssertionError.class, () -> testOf(plan -> plan).a_skill_is_named_loaded_and_described());
        assertEquals(List.of("no resource META-INF/npuflow/skills/wrong-on-purpose/SKILL.md"),
                DescriptionFaults.of(testOf(plan -> plan).skill()));
    }

    @Test void a_description_with_gaps() {
        Skill skill = new Skill() {
            @Override public String name() {
                return "gaps";
            }

            @Override public Assessment assess(Deployment deployment, SkillContext context) {
                return Assessment.notApplicable("never");
            }
        };
        String whole = "---\nname: gaps\ndescription: d\n---\n## Purpose\np\n## When it applies\na\n## What it does\nw\n## Self-check\ns\n"
                + "## Failure modes\n\n| symptom | cause | remedy |\n|---|---|---|\n| slow | c | r |\n";
        assertEquals(List.of(), DescriptionFaults.of(skill, whole));
        assertEquals(List.of("section 'Self-check' is empty"), DescriptionFaults.of(skill, whole.replace("\ns\n", "\n\n")));
        assertEquals(List.of("no section 'Purpose'"), DescriptionFaults.of(skill, whole.replace("## Purpose", "## Purposes")));
        assertEquals(List.of("no row of symptom, cause and remedy under 'Failure modes'"), DescriptionFaults.of(skill, whole.replace("| slow | c | r |", "slow")));
        assertTrue(DescriptionFaults.of(skill, whole.replace("name: gaps", "name: other")).getFirst().contains("name: gaps"));
        assertEquals(List.of("no front matter between --- lines"), DescriptionFaults.of(skill, "# Gaps\n"));
    }
}
