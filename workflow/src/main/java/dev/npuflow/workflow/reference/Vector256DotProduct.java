package dev.npuflow.workflow.reference;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.lang.foreign.MemorySegment;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// 256-bit vectors: a block of 64 elements is four loads, load q holds p[16q] … p[16q+15]. Two passes over a row, to keep
/// methods small for C2 (see [Vector512DotProduct]): loads 0 and 2 make t[0 … 7] of the tree, loads 1 and 3 make t[8 … 15]. Rows that do not end on
/// a block take the scalar way.
final class Vector256DotProduct implements DotProduct {

    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_256;
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_256;

    private final DotProduct scalar = new ScalarDotProduct();

    @Override public String name() {
        return "256-bit vectors";
    }

    @Override public float dot(MemorySegment weights, long offset, int[] pairs, int first, int columns) {
        if (columns % PartialSums.COUNT != 0) {
            return scalar.dot(weights, offset, pairs, first, columns);
        }
        float[] t = new float[16];
        for (int half = 0; half < 2; half++) {
            sumHalf(weights, offset + 32L * half, pairs, first + 8 * half, columns, t, 8 * half);
        }
        return PartialSums.reduceHalves(t, 8);
    }

    private static void sumHalf(MemorySegment weights, long offset, int[] pairs, int first, int columns, float[] t, int at) {
        FloatVector even0 = FloatVector.zero(FLOATS);
        FloatVector odd0 = even0;
        FloatVector even2 = even0;
        FloatVector odd2 = even0;
        int blocks = columns / PartialSums.COUNT;
        for (int block = 0; block < blocks; block++) {
            IntVector w0 = IntVector.fromMemorySegment(INTS, weights, offset + 128L * block, LITTLE_ENDIAN);
            IntVector w2 = IntVector.fromMemorySegment(INTS, weights, offset + 128L * block + 64, LITTLE_ENDIAN);
            IntVector x0 = IntVector.fromArray(INTS, pairs, first + 32 * block);
            IntVector x2 = IntVector.fromArray(INTS, pairs, first + 32 * block + 16);
            even0 = even(w0).fma(even(x0), even0);
            odd0 = odd(w0).fma(odd(x0), odd0);
            even2 = even(w2).fma(even(x2), even2);
            odd2 = odd(w2).fma(odd(x2), odd2);
        }
        even0.add(odd0).add(even2.add(odd2)).intoArray(t, at);
    }

    private static FloatVector even(IntVector pairs) {
        return pairs.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
    }

    private static FloatVector odd(IntVector pairs) {
        return pairs.and(0xffff0000).reinterpretAsFloats();
    }
}
