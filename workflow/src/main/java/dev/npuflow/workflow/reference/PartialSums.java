package dev.npuflow.workflow.reference;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// The order of summation of every dot product of the reference, whatever computes it.
///
/// A dot product over k = 0 … n-1 keeps 64 fp32 partial sums that start at +0; element k is added to `p[k mod 64]`, in increasing k. A tail that does
/// not fill 64 leaves the other partial sums as they are. Then one tree:
///
///     s[i] = p[2i] + p[2i+1]     i < 32       the two bf16 of one 32-bit lane
///     t[i] = s[i]  + s[i+16]     i < 16       the two 512-bit loads of a block
///     t[i] = t[i]  + t[i+8]      i < 8        then +4, +2, +1: halves of a vector
///
/// A step is one fused multiply-add in every provider. The product of two bf16 has 16 significant bits and is exact in fp32, so that a multiplication
/// and an addition would give the same, except where the product is subnormal or overflows; fused everywhere, there is no exception. A partial sum
/// never is -0 (it starts at +0), so adding a product of zeros leaves it alone: padding with zeros is allowed.
final class PartialSums {

    static final int COUNT = 64;

    private static final ValueLayout.OfShort BFLOAT16 = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private PartialSums() {}

    /// Adds the products of weights and activations `from` … `to - 1` to the sums they belong to.
    ///
    /// @param offset byte of weight 0
    /// @param pairs  packed activations, see [PackedRows]
    /// @param first  index of the pair that holds activation 0
    static void accumulate(float[] sums, MemorySegment weights, long offset, int[] pairs, int first, int from, int to) {
        for (int k = from; k < to; k++) {
            float weight = Bfloat16.value(weights.get(BFLOAT16, offset + 2L * k));
            sums[k % COUNT] = Math.fma(weight, PackedRows.element(pairs[first + k / 2], k % 2), sums[k % COUNT]);
        }
    }

    /// The dot product of two fp32 ranges that hold bf16 values.
    ///
    /// @param sums room for 64 partial sums; overwritten
    static float dot(float[] a, int aFirst, float[] b, int bFirst, int length, float[] sums) {
        int whole = Math.min(length, COUNT);
        for (int i = 0; i < whole; i++) {
            sums[i] = Math.fma(a[aFirst + i], b[bFirst + i], 0f);
        }
        for (int i = whole; i < COUNT; i++) {
            sums[i] = 0f;
        }
        for (int k = COUNT; k < length; k++) {
            sums[k % COUNT] = Math.fma(a[aFirst + k], b[bFirst + k], sums[k % COUNT]);
        }
        return reduce(sums);
    }

    /// The tree; overwrites the sums.
    static float reduce(float[] sums) {
        for (int i = 0; i < 32; i++) {
            sums[i] = sums[2 * i] + sums[2 * i + 1];
        }
        return reduceHalves(sums, 16);
    }

    /// The tree from where halves are added, `half` on the lower one; overwrites the sums.
    static float reduceHalves(float[] sums, int half) {
        for (int count = half; count >= 1; count /= 2) {
            for (int i = 0; i < count; i++) {
                sums[i] += sums[i + count];
            }
        }
        return sums[0];
    }

    /// The tree, over `width` dot products at once: partial sum i of product d stands at `i · width + d`, the results at 0 … width - 1.
    static void reduceColumns(float[] sums, int width) {
        for (int i = 0; i < 32; i++) {
            for (int d = 0; d < width; d++) {
                sums[i * width + d] = sums[2 * i * width + d] + sums[(2 * i + 1) * width + d];
            }
        }
        for (int half = 16; half >= 1; half /= 2) {
            for (int d = 0; d < half * width; d++) {
                sums[d] += sums[half * width + d];
            }
        }
    }
}
