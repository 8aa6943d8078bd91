package dev.npuflow.npu.kernel.dot;

import dev.npuflow.npu.kernel.Bfloat16;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// Plain Java, for CPUs and JVMs without a fast Vector API.
final class ScalarDotProduct implements DotProduct {

    private static final ValueLayout.OfShort ELEMENT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    @Override
    public String description() {
        return "scalar";
    }

    @Override
    public float dot(MemorySegment row, long offset, int[] packed, int at, int k, float[] scratch) {
        float[] partial = new float[PARTIAL_SUMS];
        int whole = k / PARTIAL_SUMS * PARTIAL_SUMS;
        for (int from = 0; from < whole; from += PARTIAL_SUMS) {
            for (int j = 0; j < PARTIAL_SUMS; j++) {
                partial[j] = Math.fma(weight(row, offset, from + j), activation(packed, at, from + j), partial[j]);
            }
        }
        for (int j = 0; j < FOLDED_SUMS; j++) {
            scratch[j] = (partial[2 * j] + partial[2 * j + 1]) + (partial[2 * j + 32] + partial[2 * j + 33]);
        }
        float sum = fold(scratch);
        return k == whole ? sum : sum + rest(row, offset, packed, at, whole, k);
    }

    private static float fold(float[] sums) {
        for (int half = FOLDED_SUMS / 2; half >= 1; half /= 2) {
            for (int j = 0; j < half; j++) {
                sums[j] += sums[j + half];
            }
        }
        return sums[0];
    }

    /// The elements from `from` on, in order.
    static float rest(MemorySegment row, long offset, int[] packed, int at, int from, int k) {
        float sum = 0;
        for (int i = from; i < k; i++) {
            sum = Math.fma(weight(row, offset, i), activation(packed, at, i), sum);
        }
        return sum;
    }

    private static float weight(MemorySegment row, long offset, int i) {
        return Bfloat16.toFloat(row.get(ELEMENT, offset + 2L * i));
    }

    private static float activation(int[] packed, int at, int i) {
        int pair = packed[at + i / 2];
        return Float.intBitsToFloat(i % 2 == 0 ? pair << 16 : pair & 0xffff0000);
    }
}
