package dev.npuflow.npu.kernel.dot;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/// The Vector API on 512 bits. Two bf16 in one 32-bit lane; a float has the same top half:
///
///     lane   | hi hi hi hi | lo lo lo lo |      hi as float:  lane & 0xffff0000
///                                               lo as float:  lane << 16
///
/// Four accumulators a dot product hold the 64 partial sums: even and odd elements of two vectors.
final class Vector512DotProduct implements DotProduct {

    private static final VectorSpecies<Integer> PAIRS = IntVector.SPECIES_512;
    private static final VectorSpecies<Float> SUMS = FloatVector.SPECIES_512;
    private static final VectorShuffle<Float> BY_8 = VectorShuffle.iota(SUMS, 8, 1, true);
    private static final VectorShuffle<Float> BY_4 = VectorShuffle.iota(SUMS, 4, 1, true);
    private static final VectorShuffle<Float> BY_2 = VectorShuffle.iota(SUMS, 2, 1, true);
    private static final VectorShuffle<Float> BY_1 = VectorShuffle.iota(SUMS, 1, 1, true);
    private static final int VECTOR_BYTES = 64;
    private static final int VECTOR_INTS = 16;
    private static final int HIGH = 0xffff0000;
    /// A branch predictor cannot know when a long loop ends, and the wrong guess at the end of each row waits for the row's last
    /// load from memory. Loops of four, and of a few dozen of those, are foreseen.
    private static final int GROUP_INTS = 4 * 2 * VECTOR_INTS;

    static boolean isFast() {
        return IntVector.SPECIES_PREFERRED.vectorBitSize() >= PAIRS.vectorBitSize();
    }

    @Override
    public String description() {
        return "Vector API, 512 bit";
    }

    @Override
    public float dot(MemorySegment row, long offset, int[] packed, int at, int k, float[] scratch) {
        FloatVector even0 = FloatVector.zero(SUMS);
        FloatVector odd0 = FloatVector.zero(SUMS);
        FloatVector even1 = FloatVector.zero(SUMS);
        FloatVector odd1 = FloatVector.zero(SUMS);
        int whole = k / PARTIAL_SUMS * PARTIAL_SUMS;
        for (int group = 0; group < whole / 2; group += GROUP_INTS) {
            int end = Math.min(group + GROUP_INTS, whole / 2);
            for (int i = group; i < end; i += 2 * VECTOR_INTS) {
                IntVector w0 = weights(row, offset + 4L * i);
                IntVector x0 = IntVector.fromArray(PAIRS, packed, at + i);
                even0 = low(w0).fma(low(x0), even0);
                odd0 = high(w0).fma(high(x0), odd0);
                IntVector w1 = weights(row, offset + 4L * i + VECTOR_BYTES);
                IntVector x1 = IntVector.fromArray(PAIRS, packed, at + i + VECTOR_INTS);
                even1 = low(w1).fma(low(x1), even1);
                odd1 = high(w1).fma(high(x1), odd1);
            }
        }
        float sum = fold(even0.add(odd0).add(even1.add(odd1)));
        return k == whole ? sum : sum + ScalarDotProduct.rest(row, offset, packed, at, whole, k);
    }

    @Override
    public void dot2x2(MemorySegment rows, long offset, long stride, int[] packed, int at, int step, int k, float[] scratch) {
        int whole = k / PARTIAL_SUMS * PARTIAL_SUMS;
        half2x2(rows, offset, offset + stride, packed, at, at + step, whole / 2, scratch, 0);
        half2x2(rows, offset + VECTOR_BYTES, offset + stride + VECTOR_BYTES, packed, at + VECTOR_INTS, at + step + VECTOR_INTS, whole / 2, scratch,
                4 * FOLDED_SUMS);
        for (int i = 0; i < 4; i++) {
            float sum = foldHalves(scratch, i * FOLDED_SUMS);
            scratch[i] = k == whole ? sum : sum + ScalarDotProduct.rest(rows, offset + i / 2 * stride, packed, at + i % 2 * step, whole, k);
        }
    }

    /// Every second vector of two rows and two packed vectors: half of the partial sums, added to pairs.
    ///
    /// The compiler keeps vectors in registers only while a method is small, some 20 vector operations in its loop; beyond, it
    /// boxes them, ten times slower. Hence two passes over rows that lie in the cache.
    private static void half2x2(MemorySegment rows, long first, long second, int[] packed, int x, int y, int ints, float[] sums, int to) {
        FloatVector even00 = FloatVector.zero(SUMS);
        FloatVector even01 = even00;
        FloatVector even10 = even00;
        FloatVector even11 = even00;
        FloatVector odd00 = even00;
        FloatVector odd01 = even00;
        FloatVector odd10 = even00;
        FloatVector odd11 = even00;
        for (int group = 0; group < ints; group += GROUP_INTS) {
            int end = Math.min(group + GROUP_INTS, ints);
            for (int i = group; i < end; i += 2 * VECTOR_INTS) {
                IntVector a = weights(rows, first + 4L * i);
                IntVector b = weights(rows, second + 4L * i);
                IntVector u = IntVector.fromArray(PAIRS, packed, x + i);
                IntVector v = IntVector.fromArray(PAIRS, packed, y + i);
                FloatVector lowA = low(a);
                FloatVector lowB = low(b);
                FloatVector lowU = low(u);
                FloatVector lowV = low(v);
                even00 = lowA.fma(lowU, even00);
                even01 = lowA.fma(lowV, even01);
                even10 = lowB.fma(lowU, even10);
                even11 = lowB.fma(lowV, even11);
                FloatVector highA = high(a);
                FloatVector highB = high(b);
                FloatVector highU = high(u);
                FloatVector highV = high(v);
                odd00 = highA.fma(highU, odd00);
                odd01 = highA.fma(highV, odd01);
                odd10 = highB.fma(highU, odd10);
                odd11 = highB.fma(highV, odd11);
            }
        }
        even00.add(odd00).intoArray(sums, to);
        even01.add(odd01).intoArray(sums, to + FOLDED_SUMS);
        even10.add(odd10).intoArray(sums, to + 2 * FOLDED_SUMS);
        even11.add(odd11).intoArray(sums, to + 3 * FOLDED_SUMS);
    }

    private static float foldHalves(float[] sums, int from) {
        return fold(FloatVector.fromArray(SUMS, sums, from).add(FloatVector.fromArray(SUMS, sums, from + 4 * FOLDED_SUMS)));
    }

    /// Lane 0 takes the same sums as in [ScalarDotProduct]; the others are of no use.
    private static float fold(FloatVector sums) {
        FloatVector by8 = sums.add(sums.rearrange(BY_8));
        FloatVector by4 = by8.add(by8.rearrange(BY_4));
        FloatVector by2 = by4.add(by4.rearrange(BY_2));
        return by2.add(by2.rearrange(BY_1)).lane(0);
    }

    private static IntVector weights(MemorySegment row, long offset) {
        return IntVector.fromMemorySegment(PAIRS, row, offset, ByteOrder.LITTLE_ENDIAN);
    }

    private static FloatVector low(IntVector pairs) {
        return pairs.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
    }

    private static FloatVector high(IntVector pairs) {
        return pairs.and(HIGH).reinterpretAsFloats();
    }
}
