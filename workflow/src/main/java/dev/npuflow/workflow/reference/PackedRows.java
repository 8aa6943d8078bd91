package dev.npuflow.workflow.reference;

/// Activations of several positions as bf16 pairs, so that K = 8192 still fits in L1:
///
///     int   | k odd: hi hi | k even: lo lo |
///
/// Each row is padded with zeros to whole blocks of 64 elements.
///
/// @param stride ints a row
record PackedRows(int positions, int columns, int stride, int[] pairs) {

    /// @param values positions × columns, each a bf16 value
    static PackedRows of(float[] values, int positions, int columns) {
        int stride = Math.ceilDiv(columns, PartialSums.COUNT) * (PartialSums.COUNT / 2);
        int[] pairs = new int[positions * stride];
        for (int position = 0; position < positions; position++) {
            int from = position * columns;
            int to = position * stride;
            for (int k = 0; k < columns; k++) {
                int bits = Float.floatToRawIntBits(values[from + k]) >>> 16;
                pairs[to + k / 2] |= (k & 1) == 0 ? bits : bits << 16;
            }
        }
        return new PackedRows(positions, columns, stride, pairs);
    }

    /// @param odd 0 for the lower element, 1 for the upper
    static float element(int pair, int odd) {
        return Float.intBitsToFloat(odd == 0 ? pair << 16 : pair & 0xffff0000);
    }
}
