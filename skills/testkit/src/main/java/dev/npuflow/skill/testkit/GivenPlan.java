package dev.npuflow.skill.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PlanWarning;
import dev.npuflow.plan.Transfer;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Assessment.Proposal;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.DeviceTrait;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.workflow.catalog.Answer;
import dev.npuflow.workflow.catalog.GuardedSkill;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.catalog.SkillFault;
import dev.npuflow.workflow.measurement.Profile;
import dev.npuflow.workflow.measurement.SimTarget;
import dev.npuflow.workflow.model.LanguageModel;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// A skill and the plan it is tried on. Each expectation applies the skill anew and returns this. The skill is called as a phase calls it: what it throws, and
/// when it does not return, fails the test with its own frames.
public final class GivenPlan {

    /// How often, 20 ms apart, it is looked whether a thread has ended.
    private static final int PATIENCE = 100;

    private final Skill skill;
    private final Deployment plan;
    private final SkillContext context;
    private final Duration limit;
    private final GuardedSkill guarded;

    GivenPlan(Skill skill, Deployment plan, SkillContext context, Duration limit) {
        this.skill = skill;
        this.plan = plan;
        this.context = context;
        this.limit = limit;
        this.guarded = new GuardedSkill(LoadedSkill.given(skill.getClass().getSimpleName(), skill), limit);
    }

    /// @throws AssertionError for an option that the skill does not declare, or a value that the option does not take
    static SkillContext context(Skill skill, Phase phase, Map<String, String> options) {
        options.forEach((name, value) -> assertTrue(skill.options().stream().anyMatch(option -> option.name().equals(name) && option.takes(value)),
                () -> "the skill declares no option that takes %s=%s".formatted(name, value)));
        return new SkillContext(phase, TinyModel.traits(), new TreeMap<>(options), TinyModel.placement(), List.of());
    }

    /// The same plan, the skill called with one more option.
    public GivenPlan with(String option, String value) {
        TreeMap<String, String> options = new TreeMap<>(context.options());
        options.put(option, value);
        return new GivenPlan(skill, plan, context(skill, context.phase(), options), limit);
    }

    /// The same plan, on a device that lacks a trait.
    public GivenPlan without(DeviceTrait trait) {
        Set<DeviceTrait> traits = EnumSet.allOf(DeviceTrait.class);
        traits.retainAll(context.traits());
        traits.remove(trait);
        return new GivenPlan(skill, plan, new SkillContext(context.phase(), traits, context.options(), context.placement(), context.earlierAttempts()), limit);
    }

    /// What the skill says of the plan; the test fails if it does not say.
    Assessment assessment() {
        return switch (guarded.assess(plan, context)) {
            case Answer.Value(Assessment assessment) -> assessment;
            case Answer.Crash(SkillFault fault) -> throw broken(fault);
        };
    }

    /// What the skill proposes; the test fails if it proposes nothing.
    public Proposal proposal() {
        return switch (assessment()) {
            case Proposal proposal -> proposal;
            case Assessment.NotApplicable(String reason, List<Blocker> blockers) -> fail("the skill does not apply: " + reason + (blockers.isEmpty() ? "" : " " + blockers));
        };
    }

    /// @param fault what is said of a skill that applies
    /// @return the reason
    String requireNotApplicable(String fault) {
        return switch (assessment()) {
            case Proposal proposal -> fail("%s: %s".formatted(fault, proposal.reason()));
            case Assessment.NotApplicable(String reason, var _) -> reason;
        };
    }

    /// As [#assessment]; empty where the skill fails.
    Optional<Assessment> answer() {
        return guarded.assess(plan, context) instanceof Answer.Value(Assessment assessment) ? Optional.of(assessment) : Optional.empty();
    }

    /// Threads of the skill that still run a while after it has made its plan.
    List<String> threadsLeftBehind() {
        result();
        List<String> running = guarded.runningThreads();
        for (int i = 0; i < PATIENCE && !running.isEmpty(); i++) {
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            running = guarded.runningThreads();
        }
        return running;
    }

    /// What the skill changes of the process while it makes its plan.
    List<String> processChanges() {
        result();
        return guarded.processChanges();
    }

    /// The changed plan; the test fails if the skill does not apply.
    public Deployment result() {
        return proposal().plan();
    }

    private static AssertionError broken(SkillFault fault) {
        return new AssertionError(String.join("; ", Stream.concat(Stream.of(fault.reason()), fault.trace().stream()).toList()));
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
                case PREFILL -> profile.prefillTime().value();
                case DECODE -> profile.decodeTime().value();
            };
        }
    }

    public void isSkippedBecause(String reason) {
        String said = requireNotApplicable("the skill applies");
        assertTrue(said.contains(reason), said);
    }

    /// Every call of the result builds on the device.
    public void compiles() {
        assertEquals(List.of(), result().phase(context.phase()).calls().flatMap(call -> context.placement().check(call).stream()).toList(), "blockers");
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
