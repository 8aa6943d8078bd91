package dev.npuflow.workflow.trial;

import dev.npuflow.plan.Deployment;
import dev.npuflow.skill.Blocker;
import dev.npuflow.workflow.catalog.SkillFault;
import java.util.List;

/// What came of trying a skill on a plan.
public sealed interface Trial {

    /// A changed plan that compiles.
    ///
    /// @param why               the skill's reason to apply
    /// @param changesArithmetic whether the skill says that last bits may differ
    /// @param warnings          the skill's own and those of the plan's transfers, a line each
    record Compiled(Deployment plan, String why, boolean changesArithmetic, List<String> warnings) implements Trial {}

    record DoesNotApply(String reason) implements Trial {}

    record Refused(String reason, List<Blocker> blockers) implements Trial {}

    record Crashed(SkillFault fault) implements Trial {}

    /// The skill said that it applies and gave its input back.
    record ChangedNothing() implements Trial {}

    /// Another part of the deployment changed, too.
    record TouchedAnotherPhase() implements Trial {}

    /// The same call gave two plans.
    ///
    /// @param first  hash
    /// @param second hash
    record NotRepeatable(String first, String second) implements Trial {}

    /// No plan of the skill compiles.
    ///
    /// @param attempts  how many were compiled
    /// @param exhausted whether the skill gave its input back then, so that nothing else is left to try
    record DoesNotCompile(int attempts, Blocker first, boolean exhausted) implements Trial {}
}
