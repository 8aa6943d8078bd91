package dev.npuflow.skill.testkit;

import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Skill;
import java.time.Duration;
import java.util.Optional;
import java.util.ServiceLoader;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// The kit on a skill whose author's test is not at hand. It looks for a plan that the skill changes among those that the kit knows; that a plan without a step is
/// no work for it goes for every skill.
@ExtendWith(UntestedSkillTest.Given.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class UntestedSkillTest implements SkillTest {

    /// The configuration parameter that names the skill's class.
    static final String SKILL = "npuflow.skill";
    /// The configuration parameter that limits a call.
    static final String LIMIT = "npuflow.skill.limit";

    private final Skill skill;
    private final Duration limit;
    private final KnownPlan known;

    UntestedSkillTest(Given.Untested untested) {
        this.skill = untested.skill();
        this.limit = untested.limit();
        this.known = KnownPlan.changedBy(skill, limit);
    }

    @Override public Skill skill() {
        return skill;
    }

    @Override public Duration limit() {
        return limit;
    }

    @Override public ModelShape shape() {
        return known.shape();
    }

    @Override public Phase phase() {
        return known.phase();
    }

    /// Hands the skill that the run's configuration names to the test.
    static final class Given implements ParameterResolver {

        /// @param limit of one call
        record Untested(Skill skill, Duration limit) {}

        @Override public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Untested.class;
        }

        @Override public Untested resolveParameter(ParameterContext parameter, ExtensionContext context) {
            String name = context.getConfigurationParameter(SKILL).orElseThrow();
            Optional<Skill> found = ServiceLoader.load(Skill.class).stream().filter(provider -> provider.type().getName().equals(name)).findFirst().map(ServiceLoader.Provider::get);
            return new Untested(found.orElseThrow(), Duration.parse(context.getConfigurationParameter(LIMIT).orElseThrow()));
        }
    }
}
