package dev.npuflow.workflow.lowering;

import dev.npuflow.npu.runtime.LaunchInspector;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Step;
import dev.npuflow.workflow.host.Values;

/// Told of each step of a run after it was done.
public interface RunObserver {

    /// An observer that wants to know nothing.
    RunObserver NONE = (_, _) -> { };

    /// @param values as they are after the step; not to be kept
    void afterStep(StepTime time, Values values);

    /// As [#afterStep(StepTime, Values)], told of the step itself too; what is put into `values` here is what later steps read.
    default void afterStep(Phase phase, Step step, StepTime time, Values values) {
        afterStep(time, values);
    }

    /// Who looks at the device between the launches of a call that is about to run.
    ///
    /// @param layer that the call stands in, −1 outside the layer section
    default LaunchInspector inspector(Phase phase, NpuCall call, int layer) {
        return LaunchInspector.NONE;
    }
}
