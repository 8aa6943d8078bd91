package dev.npuflow.workflow.reference;

import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.block.Value;

/// Sees the output of every operator as it is made.
@FunctionalInterface
public interface IntermediateObserver {

    /// The layer of an operator that belongs to none.
    int NO_LAYER = -1;

    /// @param layer         0 …, or [#NO_LAYER]
    /// @param value         of a layer's block, or [ModelEnds#STREAM] as the embedding makes it, or one that [ModelEnds] makes behind the last layer; the stream
    ///                      that a layer leaves is shown under that layer
    /// @param firstPosition position of the first row
    /// @param width         elements a position; `values.length / width` positions
    /// @param values        bf16 values as fp32, row-major; the engine goes on using them: read, do not keep or write
    void observe(int layer, Value value, int firstPosition, int width, float[] values);
}
