package dev.npuflow.workflow.reference;

/// Sees the output of every operator as it is made.
@FunctionalInterface
public interface IntermediateObserver {

    /// The layer of an operator that belongs to none.
    int NO_LAYER = -1;

    /// @param layer         0 …, or [#NO_LAYER]
    /// @param firstPosition position of the first row
    /// @param width         elements a position; `values.length / width` positions
    /// @param values        bf16 values as fp32, row-major; the engine goes on using them: read, do not keep or write
    void observe(int layer, Operator operator, int firstPosition, int width, float[] values);
}
