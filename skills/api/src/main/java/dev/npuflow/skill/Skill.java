package dev.npuflow.skill;

import dev.npuflow.plan.Deployment;
import java.util.List;

/// An optimization: a pure function on an immutable plan. Loaded by `ServiceLoader`, so it needs a public constructor without
/// parameters and a line in `META-INF/services/dev.npuflow.skill.Skill`.
public interface Skill {

    /// The [#order] of a skill that does not say.
    int USUAL_ORDER = 1000;

    /// Name in commands, ledger and documents: lower case, digits and hyphens.
    String name();

    /// Looks at the deployment and answers with a changed one, or why there is none. The skill changes `context.phase()` and nothing else.
    /// The same deployment and context get the same answer, word for word. Where a plan does not compile, npuflow asks again; `context.earlierAttempts()` then
    /// holds what the compiler said.
    Assessment assess(Deployment deployment, SkillContext context);

    /// When a phase tries this skill: skills with a lower number come first, skills with the same number by their names.
    default int order() {
        return USUAL_ORDER;
    }

    /// What a user can set with `--skill-option name=value`.
    default List<SkillOption> options() {
        return List.of();
    }
}
