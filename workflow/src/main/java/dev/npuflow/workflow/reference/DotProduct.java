package dev.npuflow.workflow.reference;

import java.lang.foreign.MemorySegment;

/// One output of a linear operator: a row of bf16 weights times packed activations, in fp32, not yet rounded. Every provider sums in the order of
/// [PartialSums], so that all give the same bits.
///
/// Methods cover one row or two, not a matrix: the JIT compiles what is called often, and a loop over a whole matrix inside one call stays interpreted
/// for seconds.
interface DotProduct {

    /// What announces itself: `scalar`, `256-bit vectors`, …
    String name();

    /// @param offset  byte of the row's first weight
    /// @param pairs   packed activations
    /// @param first   index of the pair with activation 0
    /// @param columns length of the dot product
    float dot(MemorySegment weights, long offset, int[] pairs, int first, int columns);

    /// Two neighbouring rows times two neighbouring positions: weights are loaded once for both positions.
    ///
    /// @param stride from the first position's activation 0 to the second's, in pairs
    default void dotTwoByTwo(MemorySegment weights, long offset, int[] pairs, int first, int stride, int columns, Tile tile) {
        for (int row = 0; row < 2; row++) {
            for (int position = 0; position < 2; position++) {
                tile.results()[2 * row + position] = dot(weights, offset + 2L * row * columns, pairs, first + position * stride, columns);
            }
        }
    }
}
