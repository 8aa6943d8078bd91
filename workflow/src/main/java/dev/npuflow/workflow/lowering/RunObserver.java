package dev.npuflow.workflow.lowering;

import dev.npuflow.workflow.host.Values;
import dev.npuflow.workflow.target.StepTime;

/// Told of each step of a run after it was done.
public interface RunObserver {

    /// An observer that wants to know nothing.
    RunObserver NONE = (_, _) -> { };

    /// @param values as they are after the step; not to be kept
    void afterStep(StepTime time, Values values);
}
