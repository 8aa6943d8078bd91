package dev.npuflow.npu.kernel.dot;

import java.lang.foreign.MemorySegment;

/// The dot product of bf16 rows in fp32, with one order of summation whatever computes it, so that every implementation gives
/// the same bits, and a GEMM row equals the GEMV of that row:
///
/// - 64 partial sums; element k of the first ⌊K/64⌋·64 is added to sum k mod 64 by a fused multiply-add, in rising order of k;
/// - with s[j] = (p[2j] + p[2j + 1]) + (p[2j + 32] + p[2j + 33]) for j < 16, s is folded in halves: s[j] + s[j + 8], then 4, 2, 1;
/// - the remaining K mod 64 elements are summed in order by fused multiply-adds from 0, and their sum, if there are any, is added last.
///
/// A product of two bf16 is exact in fp32 but near underflow; the fused form makes that exact too.
public interface DotProduct {

    int PARTIAL_SUMS = 64;
    int FOLDED_SUMS = PARTIAL_SUMS / 4;

    /// What it runs on, such as `Vector API, 512 bit`.
    String description();

    /// @param row     `k` bf16 from byte `offset` on
    /// @param packed  `k` bf16, two in an int, the even element in the low half
    /// @param scratch at least [#FOLDED_SUMS] floats, overwritten
    float dot(MemorySegment row, long offset, int[] packed, int at, int k, float[] scratch);

    /// Four dot products at once, of rows at `offset` and `offset + stride` with the packed vectors at `at` and `at + step`:
    /// results (row 0, vector 0), (0, 1), (1, 0), (1, 1) in `scratch[0..3]`.
    ///
    /// @param scratch at least 8 · [#FOLDED_SUMS] floats, overwritten
    default void dot2x2(MemorySegment rows, long offset, long stride, int[] packed, int at, int step, int k, float[] scratch) {
        float first = dot(rows, offset, packed, at, k, scratch);
        float second = dot(rows, offset, packed, at + step, k, scratch);
        float third = dot(rows, offset + stride, packed, at, k, scratch);
        float fourth = dot(rows, offset + stride, packed, at + step, k, scratch);
        scratch[0] = first;
        scratch[1] = second;
        scratch[2] = third;
        scratch[3] = fourth;
    }

    /// The fastest one that this JVM and CPU can run.
    static DotProduct fastest() {
        return Choice.FASTEST;
    }

    /// Keeps the Vector API from being loaded where its module is missing.
    final class Choice {

        static final DotProduct FASTEST = choose();

        private Choice() {}

        private static DotProduct choose() {
            try {
                // The module may have been added after the boot, so that the boot layer does not name it.
                Class.forName("jdk.incubator.vector.IntVector", false, DotProduct.class.getClassLoader());
            } catch (ClassNotFoundException _) {
                return new ScalarDotProduct();
            }
            return Vector512DotProduct.isFast() ? new Vector512DotProduct() : Vector256DotProduct.isFast() ? new Vector256DotProduct() : new ScalarDotProduct();
        }
    }
}
