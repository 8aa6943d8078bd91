package dev.npuflow.npu.kernel.gemm;

import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.npu.kernel.Workers;
import dev.npuflow.npu.kernel.dot.DotProduct;
import dev.npuflow.npu.kernel.dot.PackedRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The arithmetic of GEMM: a dot product for each output, rounded once. A block of weight rows stays in the cache while all
/// activation rows pass, so weights are read from memory once.
final class GemmBlocks {

    private static final ValueLayout.OfShort ELEMENT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int WEIGHT_ROWS_A_BLOCK = 16;
    private static final DotProduct DOT = DotProduct.fastest();

    private final MemorySegment weight;
    private final MemorySegment out;
    private final PackedRows activations;
    private final int rows;
    private final int k;
    private final int n;

    private GemmBlocks(MemorySegment activations, MemorySegment weight, MemorySegment out, int rows, int k, int n) {
        this.activations = PackedRows.of(activations, rows, k);
        this.weight = weight;
        this.out = out;
        this.rows = rows;
        this.k = k;
        this.n = n;
    }

    static void compute(MemorySegment activations, MemorySegment weight, MemorySegment out, int rows, int k, int n, Workers workers) {
        GemmBlocks blocks = new GemmBlocks(activations, weight, out, rows, k, n);
        workers.run(Math.ceilDiv(n, WEIGHT_ROWS_A_BLOCK), blocks::block);
    }

    private void block(int block) {
        int first = block * WEIGHT_ROWS_A_BLOCK;
        int end = Math.min(n, first + WEIGHT_ROWS_A_BLOCK);
        float[] scratch = new float[8 * DotProduct.FOLDED_SUMS];
        int row = 0;
        for (; row + 1 < rows; row += 2) {
            pairOfRows(row, first, end, scratch);
        }
        if (row < rows) {
            oddRow(row, first, end, scratch);
        }
    }

    private void pairOfRows(int row, int first, int end, float[] scratch) {
        int at = row * activations.stride();
        int column = first;
        for (; column + 1 < end; column += 2) {
            DOT.dot2x2(weight, 2L * column * k, 2L * k, activations.packed(), at, activations.stride(), k, scratch);
            put(row, column, scratch[0]);
            put(row + 1, column, scratch[1]);
            put(row, column + 1, scratch[2]);
            put(row + 1, column + 1, scratch[3]);
        }
        if (column < end) {
            single(row, column, scratch);
            single(row + 1, column, scratch);
        }
    }

    private void oddRow(int row, int first, int end, float[] scratch) {
        for (int column = first; column < end; column++) {
            single(row, column, scratch);
        }
    }

    private void single(int row, int column, float[] scratch) {
        put(row, column, DOT.dot(weight, 2L * column * k, activations.packed(), row * activations.stride(), k, scratch));
    }

    private void put(int row, int column, float value) {
        out.set(ELEMENT, 2 * ((long) row * n + column), Bfloat16.fromFloat(value));
    }
}
