package dev.npuflow.skill.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.workflow.catalog.SkillName;
import dev.npuflow.workflow.gate.GateResult;
import dev.npuflow.workflow.gate.SelfCheck;
import dev.npuflow.workflow.measurement.SimTarget;
import dev.npuflow.workflow.model.LanguageModel;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/// What a skill's test implements. It says which skill, and a plan that the skill leaves alone; every skill is then checked, unasked, for
/// what authors forget. The author's own tests start with [#given].
public interface SkillTest {

    /// The skill under test: unless overridden, the one that `META-INF/services` names in the package of the test.
    default Skill skill() {
        List<Skill> mine = ServiceLoader.load(Skill.class, getClass().getClassLoader()).stream().filter(provider -> provider.type().getPackage() == getClass().getPackage())
                .map(ServiceLoader.Provider::get).toList();
        assertEquals(1, mine.size(), () -> "skills of %s that META-INF/services/dev.npuflow.skill.Skill names; override skill()".formatted(getClass().getPackageName()));
        return mine.getFirst();
    }

    /// A plan on which the skill answers that it does not apply: unless overridden, one without a step.
    default Deployment inapplicable() {
        return TinyPlans.plan();
    }

    /// The model that plans are run with: larger than [TinyModel]'s own only where a skill does not apply to that.
    default ModelShape shape() {
        return TinyModel.SHAPE;
    }

    /// A whole deployment of [#shape] that the skill changes.
    default Deployment applicable() {
        return TinyModel.baseline(shape());
    }

    /// The phase in which [#applicable] and [#inapplicable] are judged.
    default Phase phase() {
        return Phase.DECODE;
    }

    /// Options as a user gives them with `--skill-option`.
    default Map<String, String> options() {
        return Map.of();
    }

    /// What one call of the skill may take here: the plans are small.
    default Duration limit() {
        return Duration.ofSeconds(20);
    }

    default GivenPlan given(Deployment plan) {
        return new GivenPlan(skill(), plan, context(), limit());
    }

    default SkillContext context() {
        return GivenPlan.context(skill(), phase(), options());
    }

    @Test default void a_skill_says_why_it_applies_and_changes_the_plan_then() {
        assertFalse(given(applicable()).proposal().reason().isBlank(), "the skill gives no reason");
        assertNotEquals(applicable().hash(), given(applicable()).result().hash(), "the skill says that it applies and changes nothing");
    }

    @Test default void a_skill_says_why_it_does_not_apply() {
        assertFalse(given(inapplicable()).requireNotApplicable("the skill applies to a plan that has nothing for it").isBlank(), "the skill gives no reason");
    }

    @Test default void a_skill_does_not_apply_twice() {
        given(given(applicable()).result()).requireNotApplicable("the skill applies to what it made itself");
    }

    @Test default void a_skill_leaves_no_thread_behind() {
        assertEquals(List.of(), given(applicable()).threadsLeftBehind(), "threads that the skill started and that still run");
    }

    @Test default void a_skill_leaves_the_process_as_it_was() {
        assertEquals(List.of(), given(applicable()).processChanges(), "what the skill changed of the process");
    }

    @Test default void a_skill_leaves_its_input_and_the_other_phase_alone() {
        Deployment plan = applicable();
        String before = CanonicalJson.write(plan);
        Deployment result = given(plan).result();
        assertEquals(before, CanonicalJson.write(plan));
        Phase other = phase() == Phase.DECODE ? Phase.PREFILL : Phase.DECODE;
        assertEquals(plan.phase(other), result.phase(other));
        assertEquals(plan.model(), result.model());
    }

    @Test default void a_skill_gives_the_same_plan_for_the_same_input() {
        Deployment reread = CanonicalJson.read(CanonicalJson.write(applicable()), Deployment.class);
        assertEquals(given(applicable()).result().hash(), given(reread).result().hash(), "hash of the plan that the skill makes of the same plan");
    }

    @Test default void what_a_skill_makes_compiles(TestReporter reporter) {
        given(applicable()).compiles();
        given(applicable()).warnings().forEach(warning -> reporter.publishEntry("warning", warning.text()));
    }

    @Test default void a_changed_plan_computes_what_the_old_one_did() {
        try (LanguageModel model = TinyModel.open(shape()); SimTarget target = TinyTarget.of(model)) {
            SelfCheck check = target.selfCheck(applicable(), given(applicable()).result(), given(applicable()).proposal().changesBits());
            assertTrue(check.passed(), () -> check.failure().orElse(""));
        }
    }

    @Test default void a_changed_plan_passes_the_gate() {
        try (LanguageModel model = TinyModel.open(shape()); SimTarget target = TinyTarget.of(model)) {
            GateResult gate = target.verify(given(applicable()).result(), Integer.MAX_VALUE);
            assertTrue(gate.passed(), gate.reason());
        }
    }

    @Test default void a_skill_is_named_loaded_and_described() {
        String name = skill().name();
        assertTrue(SkillName.fits(name), () -> "name() is not lower case words joined by hyphens: " + name);
        assertEquals(1, ServiceLoader.load(Skill.class).stream().filter(provider -> provider.type() == skill().getClass()).count(),
                "lines in META-INF/services/dev.npuflow.skill.Skill that name " + skill().getClass().getName());
        assertEquals(List.of(), DescriptionFaults.of(skill()), "SKILL.md");
    }
}
