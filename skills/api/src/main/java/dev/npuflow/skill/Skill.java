package dev.npuflow.skill;

import dev.npuflow.plan.Deployment;
import java.util.List;

/// An optimization: a pure function on an immutable plan. Loaded by `ServiceLoader`, so it needs a public constructor without
/// parameters and a line in `META-INF/services/dev.npuflow.skill.Skill`.
public interface Skill {

    /// Name in commands, ledger and documents: lower case, digits and hyphens.
    String name();

    /// Whether values may change in their last bits. Decides how strict the self-check is: equal bits, or cosine ≥ 0.99.
    default boolean changesArithmetic() {
        return false;
    }

    /// As [#changesArithmetic()], for a skill whose options or whose plan decide it.
    ///
    /// @param deployment what [#apply] is given
    default boolean changesArithmetic(Deployment deployment, SkillContext context) {
        return changesArithmetic();
    }

    /// Whether the skill has something to do on this plan, and why or why not.
    Assessment assess(Deployment deployment, SkillContext context);

    /// The changed plan. Called only after [#assess] answered [Assessment.Applies].
    ///
    /// @throws SkillFailure if the plan cannot be changed after all; the phase goes on without this skill
    Deployment apply(Deployment deployment, SkillContext context) throws SkillFailure;

    /// What to be wary of in the changed plan although it compiles, one line each, for the document. Stops nothing.
    ///
    /// @param before what [#apply] was given
    /// @param after  what it made of it
    default List<String> warnings(Deployment before, Deployment after, SkillContext context) {
        return List.of();
    }

    /// What can go wrong with what this skill does, for `npuflow skills` and for the document after a revert.
    default List<FailureMode> failureModes() {
        return List.of();
    }
}
