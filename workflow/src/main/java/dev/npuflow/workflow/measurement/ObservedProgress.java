package dev.npuflow.workflow.measurement;

import dev.npuflow.npu.runtime.LaunchInspector;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Step;
import dev.npuflow.workflow.generation.GenerationProgress;
import dev.npuflow.workflow.host.Values;
import dev.npuflow.workflow.lowering.RunObserver;
import dev.npuflow.workflow.lowering.StepTime;

/// Passes everything on to another observer, and tells who waits how far the run is: the layer in a prefill, the token in decode.
record ObservedProgress(RunObserver observer, GenerationProgress progress, int layers) implements RunObserver {

    @Override public void afterStep(StepTime time, Values values) {
        observer.afterStep(time, values);
    }

    @Override public void afterStep(Phase phase, Step step, StepTime time, Values values) {
        if (time.section() == StepTime.Section.LAYER) {
            switch (phase) {
                case PREFILL -> progress.layer(time.layer() + 1, layers);
                case DECODE -> progress.token(time.pass() + 2);
            }
        }
        observer.afterStep(phase, step, time, values);
    }

    @Override public LaunchInspector inspector(Phase phase, NpuCall call, int layer) {
        return observer.inspector(phase, call, layer);
    }
}
