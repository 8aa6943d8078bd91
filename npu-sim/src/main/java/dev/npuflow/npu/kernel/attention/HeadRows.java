package dev.npuflow.npu.kernel.attention;

import dev.npuflow.npu.kernel.Bfloat16;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Rows of `headDim` bf16, one for each head and position, in one of two orders.
record HeadRows(MemorySegment memory, int positions, int heads, int headDim, boolean headFirst) {

    private static final ValueLayout.OfShort ELEMENT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /// Reads a row as floats into `to[at]`, `to[at + stride]` …
    void read(int head, int position, float[] to, int at, int stride) {
        long from = offset(head, position);
        for (int i = 0; i < headDim; i++) {
            to[at + i * stride] = Bfloat16.toFloat(memory.get(ELEMENT, from + 2L * i));
        }
    }

    /// Writes `from[at …]` times `scale`, rounded.
    void write(int head, int position, float[] from, int at, float scale) {
        long to = offset(head, position);
        for (int i = 0; i < headDim; i++) {
            memory.set(ELEMENT, to + 2L * i, Bfloat16.fromFloat(from[at + i] * scale));
        }
    }

    private long offset(int head, int position) {
        long row = headFirst ? (long) head * positions + position : (long) position * heads + head;
        return 2 * row * headDim;
    }
}
