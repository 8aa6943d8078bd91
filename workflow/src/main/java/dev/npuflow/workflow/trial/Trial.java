package dev.npuflow.workflow.trial;

import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Blocker;
import dev.npuflow.workflow.catalog.SkillFault;
import java.util.List;

/// What came of trying a skill on a plan.
public sealed interface Trial {

    /// A changed plan that compiles.
    ///
    /// @param proposal the skill's, its warnings with those of the plan's transfers
    record Compiled(Assessment.Proposal proposal) implements Trial {}

    /// @param blockers what the compiler told the skill
    record NotApplicable(String reason, List<Blocker> blockers) implements Trial {}

    /// The skill failed, or made a plan that is such nonsense that compiling it failed.
    record Crashed(SkillFault fault) implements Trial {}

    /// The skill proposed the plan that it was given.
    record ChangedNothing() implements Trial {}

    /// Another part of the deployment changed, too.
    record TouchedAnotherPhase() implements Trial {}

    /// The same question had two answers.
    ///
    /// @param difference such as `two reasons`
    record NotRepeatable(String difference) implements Trial {}

    /// No plan of the skill compiles.
    ///
    /// @param attempts  how many were compiled
    /// @param exhausted whether the skill had no other plan then
    record DoesNotCompile(int attempts, Blocker first, boolean exhausted) implements Trial {}
}
