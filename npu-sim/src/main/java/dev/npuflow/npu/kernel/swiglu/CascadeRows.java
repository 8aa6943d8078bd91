package dev.npuflow.npu.kernel.swiglu;

import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.npu.kernel.Workers;
import dev.npuflow.npu.kernel.dot.DotProduct;
import dev.npuflow.npu.kernel.dot.PackedRows;
import dev.npuflow.npu.kernel.silu.Silu;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The arithmetic of the cascade: for each pair of rows the sums of the k parts, added up from the first core to the last.
///
///     row 2i      gate   | k part 0 | k part 1 | k part 2 | k part 3 |
///     row 2i + 1  up     | core 0   → core 1   → core 2   → core 3   |  → SiLU(gate) · up
record CascadeRows(MemorySegment matrix, MemorySegment vector, MemorySegment out, int pairs, int k, int parts) {

    private static final ValueLayout.OfShort ELEMENT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int PAIRS_A_BLOCK = 16;
    private static final DotProduct DOT = DotProduct.fastest();

    void compute(Workers workers) {
        int[] packed = PackedRows.of(vector, 1, k).packed();
        workers.run(Math.ceilDiv(pairs, PAIRS_A_BLOCK), block -> {
            float[] scratch = new float[DotProduct.FOLDED_SUMS];
            for (int pair = block * PAIRS_A_BLOCK; pair < Math.min(pairs, (block + 1) * PAIRS_A_BLOCK); pair++) {
                float gate = sum(2L * pair, packed, scratch);
                float up = sum(2L * pair + 1, packed, scratch);
                out.set(ELEMENT, 2L * pair, Bfloat16.fromFloat(Silu.of(gate) * up));
            }
        });
    }

    private float sum(long row, int[] packed, float[] scratch) {
        int length = k / parts;
        float sum = 0;
        for (int part = 0; part < parts; part++) {
            sum += DOT.dot(matrix, 2 * (row * k + (long) part * length), packed, part * length / 2, length, scratch);
        }
        return sum;
    }
}
