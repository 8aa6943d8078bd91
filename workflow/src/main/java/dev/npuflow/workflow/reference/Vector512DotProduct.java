package dev.npuflow.workflow.reference;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/// 512-bit vectors: a block of 64 elements is two loads, split into four accumulators that together are the 64 partial sums:
///
///     even0: p[0], p[2] … p[30]     odd0: p[1], p[3] … p[31]
///     even1: p[32] … p[62]          odd1: p[33] … p[63]
final class Vector512DotProduct implements DotProduct {

    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_512;
    private static final VectorShuffle<Float> BY_8 = VectorShuffle.iota(FLOATS, 8, 1, true);
    private static final VectorShuffle<Float> BY_4 = VectorShuffle.iota(FLOATS, 4, 1, true);
    private static final VectorShuffle<Float> BY_2 = VectorShuffle.iota(FLOATS, 2, 1, true);
    private static final VectorShuffle<Float> BY_1 = VectorShuffle.iota(FLOATS, 1, 1, true);

    @Override public String name() {
        return "512-bit vectors";
    }

    @Override public float dot(MemorySegment weights, long offset, int[] pairs, int first, int columns) {
        FloatVector even0 = FloatVector.zero(FLOATS);
        FloatVector odd0 = even0;
        FloatVector even1 = even0;
        FloatVector odd1 = even0;
        int blocks = columns / PartialSums.COUNT;
        for (int block = 0; block < blocks; block++) {
            IntVector w0 = IntVector.fromMemorySegment(INTS, weights, offset + 128L * block, LITTLE_ENDIAN);
            IntVector w1 = IntVector.fromMemorySegment(INTS, weights, offset + 128L * block + 64, LITTLE_ENDIAN);
            IntVector x0 = IntVector.fromArray(INTS, pairs, first + 32 * block);
            IntVector x1 = IntVector.fromArray(INTS, pairs, first + 32 * block + 16);
            even0 = even(w0).mul(even(x0)).add(even0);
            odd0 = odd(w0).mul(odd(x0)).add(odd0);
            even1 = even(w1).mul(even(x1)).add(even1);
            odd1 = odd(w1).mul(odd(x1)).add(odd1);
        }
        return blocks * PartialSums.COUNT == columns
                ? reduce(even0, odd0, even1, odd1)
                : withTail(even0, odd0, even1, odd1, weights, offset, pairs, first, columns);
    }

    @Override public void dotTwoByTwo(MemorySegment weights, long offset, int[] pairs, int first, int stride, int columns, float[] result) {
        if (columns % PartialSums.COUNT != 0) {
            DotProduct.super.dotTwoByTwo(weights, offset, pairs, first, stride, columns, result);
            return;
        }
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector a0 = zero, a1 = zero, a2 = zero, a3 = zero;
        FloatVector b0 = zero, b1 = zero, b2 = zero, b3 = zero;
        FloatVector c0 = zero, c1 = zero, c2 = zero, c3 = zero;
        FloatVector d0 = zero, d1 = zero, d2 = zero, d3 = zero;
        long second = offset + 2L * columns;
        int blocks = columns / PartialSums.COUNT;
        for (int block = 0; block < blocks; block++) {
            IntVector v = IntVector.fromMemorySegment(INTS, weights, offset + 128L * block, LITTLE_ENDIAN);
            IntVector w = IntVector.fromMemorySegment(INTS, weights, second + 128L * block, LITTLE_ENDIAN);
            IntVector x = IntVector.fromArray(INTS, pairs, first + 32 * block);
            IntVector y = IntVector.fromArray(INTS, pairs, first + stride + 32 * block);
            a0 = even(v).mul(even(x)).add(a0);
            b0 = even(v).mul(even(y)).add(b0);
            c0 = even(w).mul(even(x)).add(c0);
            d0 = even(w).mul(even(y)).add(d0);
            a1 = odd(v).mul(odd(x)).add(a1);
            b1 = odd(v).mul(odd(y)).add(b1);
            c1 = odd(w).mul(odd(x)).add(c1);
            d1 = odd(w).mul(odd(y)).add(d1);
            v = IntVector.fromMemorySegment(INTS, weights, offset + 128L * block + 64, LITTLE_ENDIAN);
            w = IntVector.fromMemorySegment(INTS, weights, second + 128L * block + 64, LITTLE_ENDIAN);
            x = IntVector.fromArray(INTS, pairs, first + 32 * block + 16);
            y = IntVector.fromArray(INTS, pairs, first + stride + 32 * block + 16);
            a2 = even(v).mul(even(x)).add(a2);
            b2 = even(v).mul(even(y)).add(b2);
            c2 = even(w).mul(even(x)).add(c2);
            d2 = even(w).mul(even(y)).add(d2);
            a3 = odd(v).mul(odd(x)).add(a3);
            b3 = odd(v).mul(odd(y)).add(b3);
            c3 = odd(w).mul(odd(x)).add(c3);
            d3 = odd(w).mul(odd(y)).add(d3);
        }
        result[0] = reduce(a0, a1, a2, a3);
        result[1] = reduce(b0, b1, b2, b3);
        result[2] = reduce(c0, c1, c2, c3);
        result[3] = reduce(d0, d1, d2, d3);
    }

    private static FloatVector even(IntVector pairs) {
        return pairs.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
    }

    private static FloatVector odd(IntVector pairs) {
        return pairs.and(0xffff0000).reinterpretAsFloats();
    }

    private static float reduce(FloatVector even0, FloatVector odd0, FloatVector even1, FloatVector odd1) {
        FloatVector t = even0.add(odd0).add(even1.add(odd1));
        t = t.add(t.rearrange(BY_8));
        t = t.add(t.rearrange(BY_4));
        t = t.add(t.rearrange(BY_2));
        return t.add(t.rearrange(BY_1)).lane(0);
    }

    private static float withTail(FloatVector even0, FloatVector odd0, FloatVector even1, FloatVector odd1,
            MemorySegment weights, long offset, int[] pairs, int first, int columns) {
        float[] sums = new float[PartialSums.COUNT];
        for (int lane = 0; lane < 16; lane++) {
            sums[2 * lane] = even0.lane(lane);
            sums[2 * lane + 1] = odd0.lane(lane);
            sums[32 + 2 * lane] = even1.lane(lane);
            sums[32 + 2 * lane + 1] = odd1.lane(lane);
        }
        PartialSums.accumulate(sums, weights, offset, pairs, first, columns - columns % PartialSums.COUNT, columns);
        return PartialSums.reduce(sums);
    }
}
