package dev.npuflow.workflow.reference;

import dev.npuflow.workflow.block.Value;

/// Sees what each operator makes of the same inputs with its roundings and without: how far bf16 alone moves it.
@FunctionalInterface
public interface ExactObserver {

    /// @param layer   0 …, or [IntermediateObserver#NO_LAYER]
    /// @param rounded as [IntermediateObserver#observe] is shown it, row-major; read, do not keep or write
    /// @param exact   the same in fp32
    void observe(int layer, Value value, float[] rounded, float[] exact);
}
