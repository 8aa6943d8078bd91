package dev.npuflow.npu.kernel.gemv;

import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.npu.kernel.Workers;
import dev.npuflow.npu.kernel.dot.DotProduct;
import dev.npuflow.npu.kernel.dot.PackedRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The arithmetic of GEMV: a dot product a row, rounded once.
final class GemvRows {

    private static final ValueLayout.OfShort ELEMENT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int ROWS_A_BLOCK = 32;
    private static final DotProduct DOT = DotProduct.fastest();

    private GemvRows() {}

    static void compute(MemorySegment matrix, MemorySegment vector, MemorySegment out, int m, int k, Workers workers) {
        int[] packed = PackedRows.of(vector, 1, k).packed();
        workers.run(Math.ceilDiv(m, ROWS_A_BLOCK), block -> {
            int first = block * ROWS_A_BLOCK;
            rows(matrix, packed, out, first, Math.min(m, first + ROWS_A_BLOCK), k);
        });
    }

    private static void rows(MemorySegment matrix, int[] packed, MemorySegment out, int first, int end, int k) {
        float[] scratch = new float[DotProduct.FOLDED_SUMS];
        for (int row = first; row < end; row++) {
            out.set(ELEMENT, 2L * row, Bfloat16.fromFloat(DOT.dot(matrix, 2L * row * k, packed, 0, k, scratch)));
        }
    }
}
