package dev.npuflow.npu.kernel.rmsnorm;

import dev.npuflow.npu.kernel.Bfloat16;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The arithmetic of RMSNorm: all in fp32, one rounding, at the output. Squares go to 16 sums, i mod 16, added up in order:
/// the lanes of the core's vector loop.
public record RmsNormRows(MemorySegment in, MemorySegment weight, MemorySegment out, int n, float epsilon) {

    private static final ValueLayout.OfShort ELEMENT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int LANES = 16;

    public void row(int row) {
        long offset = 2L * row * n;
        float scale = (float) (1 / Math.sqrt(sumOfSquares(offset) / n + epsilon));
        for (int i = 0; i < n; i++) {
            float value = Bfloat16.toFloat(in.get(ELEMENT, offset + 2L * i)) * scale * Bfloat16.toFloat(weight.get(ELEMENT, 2L * i));
            out.set(ELEMENT, offset + 2L * i, Bfloat16.fromFloat(value));
        }
    }

    private float sumOfSquares(long offset) {
        float[] sums = new float[LANES];
        for (int i = 0; i < n; i++) {
            float x = Bfloat16.toFloat(in.get(ELEMENT, offset + 2L * i));
            sums[i % LANES] = Math.fma(x, x, sums[i % LANES]);
        }
        float sum = 0;
        for (float lane : sums) {
            sum += lane;
        }
        return sum;
    }
}
