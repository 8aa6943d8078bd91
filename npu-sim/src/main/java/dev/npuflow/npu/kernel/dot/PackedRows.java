package dev.npuflow.npu.kernel.dot;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// bf16 rows as ints, two elements each, for [DotProduct]. An odd last element has a zero beside it.
///
/// @param stride ints from one row to the next
public record PackedRows(int[] packed, int stride) {

    private static final ValueLayout.OfInt PAIR = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SINGLE = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    public static PackedRows of(MemorySegment source, int rows, int k) {
        int stride = (k + 1) / 2;
        int[] packed = new int[Math.multiplyExact(rows, stride)];
        if (k % 2 == 0) {
            MemorySegment.copy(source, PAIR, 0, packed, 0, packed.length);
        } else {
            for (int row = 0; row < rows; row++) {
                long from = 2L * row * k;
                MemorySegment.copy(source, PAIR, from, packed, row * stride, stride - 1);
                packed[row * stride + stride - 1] = source.get(SINGLE, from + 2L * (k - 1)) & 0xffff;
            }
        }
        return new PackedRows(packed, stride);
    }
}
