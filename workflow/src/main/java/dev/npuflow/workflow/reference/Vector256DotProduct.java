package dev.npuflow.workflow.reference;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorShuffle;
import jdk.incubator.vector.VectorSpecies;

/// 256-bit vectors: a block of 64 elements is four loads, split into eight accumulators; load q holds p[16q] … p[16q+15].
final class Vector256DotProduct implements DotProduct {

    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_256;
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_256;
    private static final VectorShuffle<Float> BY_4 = VectorShuffle.iota(FLOATS, 4, 1, true);
    private static final VectorShuffle<Float> BY_2 = VectorShuffle.iota(FLOATS, 2, 1, true);
    private static final VectorShuffle<Float> BY_1 = VectorShuffle.iota(FLOATS, 1, 1, true);

    @Override public String name() {
        return "256-bit vectors";
    }

    @Override public float dot(MemorySegment weights, long offset, int[] pairs, int first, int columns) {
        FloatVector zero = FloatVector.zero(FLOATS);
        FloatVector even0 = zero, even1 = zero, even2 = zero, even3 = zero;
        FloatVector odd0 = zero, odd1 = zero, odd2 = zero, odd3 = zero;
        int blocks = columns / PartialSums.COUNT;
        for (int block = 0; block < blocks; block++) {
            long at = offset + 128L * block;
            int pair = first + 32 * block;
            IntVector w0 = IntVector.fromMemorySegment(INTS, weights, at, LITTLE_ENDIAN);
            IntVector x0 = IntVector.fromArray(INTS, pairs, pair);
            even0 = even(w0).mul(even(x0)).add(even0);
            odd0 = odd(w0).mul(odd(x0)).add(odd0);
            IntVector w1 = IntVector.fromMemorySegment(INTS, weights, at + 32, LITTLE_ENDIAN);
            IntVector x1 = IntVector.fromArray(INTS, pairs, pair + 8);
            even1 = even(w1).mul(even(x1)).add(even1);
            odd1 = odd(w1).mul(odd(x1)).add(odd1);
            IntVector w2 = IntVector.fromMemorySegment(INTS, weights, at + 64, LITTLE_ENDIAN);
            IntVector x2 = IntVector.fromArray(INTS, pairs, pair + 16);
            even2 = even(w2).mul(even(x2)).add(even2);
            odd2 = odd(w2).mul(odd(x2)).add(odd2);
            IntVector w3 = IntVector.fromMemorySegment(INTS, weights, at + 96, LITTLE_ENDIAN);
            IntVector x3 = IntVector.fromArray(INTS, pairs, pair + 24);
            even3 = even(w3).mul(even(x3)).add(even3);
            odd3 = odd(w3).mul(odd(x3)).add(odd3);
        }
        if (blocks * PartialSums.COUNT == columns) {
            return reduce(even0.add(odd0), even1.add(odd1), even2.add(odd2), even3.add(odd3));
        }
        float[] sums = new float[PartialSums.COUNT];
        spread(even0, odd0, sums, 0);
        spread(even1, odd1, sums, 16);
        spread(even2, odd2, sums, 32);
        spread(even3, odd3, sums, 48);
        PartialSums.accumulate(sums, weights, offset, pairs, first, blocks * PartialSums.COUNT, columns);
        return PartialSums.reduce(sums);
    }

    private static FloatVector even(IntVector pairs) {
        return pairs.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
    }

    private static FloatVector odd(IntVector pairs) {
        return pairs.and(0xffff0000).reinterpretAsFloats();
    }

    private static float reduce(FloatVector s0, FloatVector s1, FloatVector s2, FloatVector s3) {
        FloatVector t = s0.add(s2).add(s1.add(s3));
        t = t.add(t.rearrange(BY_4));
        t = t.add(t.rearrange(BY_2));
        return t.add(t.rearrange(BY_1)).lane(0);
    }

    private static void spread(FloatVector even, FloatVector odd, float[] sums, int from) {
        for (int lane = 0; lane < 8; lane++) {
            sums[from + 2 * lane] = even.lane(lane);
            sums[from + 2 * lane + 1] = odd.lane(lane);
        }
    }
}
