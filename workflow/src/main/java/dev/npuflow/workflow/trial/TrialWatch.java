package dev.npuflow.workflow.trial;

import dev.npuflow.plan.Deployment;
import dev.npuflow.skill.Blocker;
import java.util.List;

/// Sees a trial as it goes on.
public interface TrialWatch {

    /// Sees nothing.
    TrialWatch NONE = new TrialWatch() {};

    /// @param stage such as `compiling`
    default void stage(String stage) {}

    /// The skill answered with this plan, whatever it is.
    default void answered(Deployment plan) {}

    /// The plan is another one in the right phase, and will be asked for again and compiled.
    default void made(Deployment plan) {}

    /// @param attempt counted from 1
    default void blocked(int attempt, Deployment plan, List<Blocker> blockers) {}
}
