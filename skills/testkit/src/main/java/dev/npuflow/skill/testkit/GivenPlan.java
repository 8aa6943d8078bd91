package dev.npuflow.skill.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.PlanWarning;
import dev.npuflow.plan.Transfer;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.skill.SkillFailure;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.target.Profile;
import dev.npuflow.workflow.target.SimTarget;
import java.util.List;
import java.util.TreeMap;

/// A skill and the plan it is tried on. Each expectation applies the skill anew and returns this.
public final class GivenPlan {

    private final Skill skill;
    private final Deployment plan;
    private final SkillContext context;

    GivenPlan(Skill skill, Deployment plan, SkillContext context) {
        this.skill = skill;
        this.plan = plan;
        this.context = context;
    }

    /// The same plan, the skill called with one more option.
    public GivenPlan with(String option, String value) {
        TreeMap<String, String> options = new TreeMap<>(context.options());
        options.put(option, value);
        return new GivenPlan(skill, plan, new SkillContext(context.phase(), context.device(), options, context.placement(),
                context.earlierAttempts()));
    }

    /// The changed plan; the test fails if the skill does not apply or refuses.
    public Deployment result() {
        Assessment assessment = skill.assess(plan, context);
        assertInstanceOf(Assessment.Applies.class, assessment, assessment.reason());
        try {
            return skill.apply(plan, context);
        } catch (SkillFailure e) {
            throw new AssertionError("the skill refuses: %s %s".formatted(e.getMessage(), e.blockers()), e);
        }
    }

    /// The argument, in every call of the phase that has it, gets this transfer.
    public GivenPlan becomes(String argument, Transfer transfer) {
        List<Argument> found = named(result(), argument);
        assertTrue(named(plan, argument).stream().anyMatch(before -> before.transfer() != transfer), argument + " is " + transfer + " before");
        found.forEach(after -> assertEquals(transfer, after.transfer(), argument));
        return this;
    }

    /// The argument had and keeps this transfer.
    public GivenPlan leaves(String argument, Transfer transfer) {
        named(plan, argument).forEach(before -> assertEquals(transfer, before.transfer(), argument + " before"));
        named(result(), argument).forEach(after -> assertEquals(transfer, after.transfer(), argument));
        return this;
    }

    /// Afterwards the phase has exactly these steps.
    public GivenPlan becomesSteps(String... names) {
        assertEquals(List.of(names), result().phase(context.phase()).steps().map(step -> step.name()).toList());
        return this;
    }

    /// The phase takes less simulated time afterwards; of decode, three tokens. The plan must be a whole deployment of [TinyModel].
    public GivenPlan becomesFaster() {
        long before = picoseconds(plan);
        long after = picoseconds(result());
        assertTrue(after < before, "%d ps before, %d after".formatted(before, after));
        return this;
    }

    private long picoseconds(Deployment deployment) {
        try (LanguageModel model = TinyModel.open(deployment.model()); SimTarget target = TinyTarget.of(model)) {
            Profile profile = target.profile(deployment, TinyTarget.PROMPTS.getFirst(), 4, true);
            return switch (context.phase()) {
                case PREFILL -> profile.prefillTime();
                case DECODE -> profile.decodeTime();
            };
        }
    }

    public void isSkippedBecause(String reason) {
        Assessment assessment = skill.assess(plan, context);
        assertInstanceOf(Assessment.DoesNotApply.class, assessment, assessment.reason());
        assertTrue(assessment.reason().contains(reason), assessment.reason());
    }

    /// Every call of the result builds on the device, or the skill refuses with blockers.
    public void compiles() {
        assertInstanceOf(Assessment.Applies.class, skill.assess(plan, context));
        try {
            Deployment result = skill.apply(plan, context);
            List<Blocker> blockers = result.phase(context.phase()).calls().flatMap(call -> context.placement().check(call).stream()).toList();
            assertEquals(List.of(), blockers);
        } catch (SkillFailure refusal) {
            assertTrue(!refusal.blockers().isEmpty(), "a refusal names its blockers: " + refusal.getMessage());
        }
    }

    /// Transfers of the result that the launch graph does not bear out. The self-check stops the fault, not the warning.
    public List<PlanWarning> warnings() {
        return PlanWarning.of(result());
    }

    private List<Argument> named(Deployment deployment, String argument) {
        List<Argument> found = deployment.phase(context.phase()).calls().map(NpuCall::arguments).flatMap(List::stream)
                .filter(candidate -> candidate.name().equals(argument)).toList();
        assertTrue(!found.isEmpty(), "no call has an argument " + argument);
        return found;
    }
}
