package dev.npuflow.npu.kernel.rope;

import dev.npuflow.npu.kernel.Bfloat16;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The arithmetic of RoPE, fp32 inside, one rounding. A row of the table beside a row of the input:
///
///     table | cos 0 … cos h-1 | sin 0 … sin h-1 |           h = rotaryDim / 2
///     in    | a 0   …   a h-1 | b 0   …   b h-1 | rest … |
///     out   | a cos - b sin   | b cos + a sin   | rest … |
record RopeRows(MemorySegment in, MemorySegment table, MemorySegment out, int headDim, int rotaryDim) {

    private static final ValueLayout.OfShort ELEMENT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    void row(int row) {
        int half = rotaryDim / 2;
        long from = 2L * row * headDim;
        long angles = 2L * row * rotaryDim;
        for (int i = 0; i < half; i++) {
            float a = at(in, from, i);
            float b = at(in, from, i + half);
            float cosine = at(table, angles, i);
            float sine = at(table, angles, i + half);
            out.set(ELEMENT, from + 2L * i, Bfloat16.fromFloat(a * cosine - b * sine));
            out.set(ELEMENT, from + 2L * (i + half), Bfloat16.fromFloat(b * cosine + a * sine));
        }
        long turned = 2L * rotaryDim;
        MemorySegment.copy(in, from + turned, out, from + turned, 2L * headDim - turned);
    }

    private static float at(MemorySegment memory, long offset, int i) {
        return Bfloat16.toFloat(memory.get(ELEMENT, offset + 2L * i));
    }
}
