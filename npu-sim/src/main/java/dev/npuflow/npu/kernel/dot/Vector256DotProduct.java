package dev.npuflow.npu.kernel.dot;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// The Vector API on 256 bits, for CPUs without wider vectors; pairs of bf16 as in [Vector512DotProduct]. Sixty-four elements are four vectors a, b, c, d:
///
///     s[0 … 7]  = (even a + odd a) + (even c + odd c)
///     s[8 … 15] = (even b + odd b) + (even d + odd d)        folded once: s[0 … 7] + s[8 … 15]
final class Vector256DotProduct implements DotProduct {

    private static final VectorSpecies<Integer> PAIRS = IntVector.SPECIES_256;
    private static final VectorSpecies<Float> SUMS = FloatVector.SPECIES_256;
    private static final int VECTOR_BYTES = 32;
    private static final int VECTOR_INTS = 8;
    private static final int HIGH = 0xffff0000;

    static boolean isFast() {
        return IntVector.SPECIES_PREFERRED.vectorBitSize() >= PAIRS.vectorBitSize();
    }

    @Override
    public String description() {
        return "Vector API, 256 bit";
    }

    @Override
    public float dot(MemorySegment row, long offset, int[] packed, int at, int k, float[] scratch) {
        int whole = k / PARTIAL_SUMS * PARTIAL_SUMS;
        everyOther(row, offset, packed, at, whole / 2).add(everyOther(row, offset + VECTOR_BYTES, packed, at + VECTOR_INTS, whole / 2)).intoArray(scratch, 0);
        float sum = ((scratch[0] + scratch[4]) + (scratch[2] + scratch[6])) + ((scratch[1] + scratch[5]) + (scratch[3] + scratch[7]));
        return k == whole ? sum : sum + ScalarDotProduct.rest(row, offset, packed, at, whole, k);
    }

    /// Vectors a and c, or b and d. Two passes, because the compiler keeps only a few dozen vector operations of a loop in registers.
    private static FloatVector everyOther(MemorySegment row, long offset, int[] packed, int at, int ints) {
        FloatVector even0 = FloatVector.zero(SUMS);
        FloatVector odd0 = even0;
        FloatVector even1 = even0;
        FloatVector odd1 = even0;
        for (int i = 0; i < ints; i += 4 * VECTOR_INTS) {
            IntVector w0 = weights(row, offset + 4L * i);
            IntVector x0 = IntVector.fromArray(PAIRS, packed, at + i);
            even0 = low(w0).fma(low(x0), even0);
            odd0 = high(w0).fma(high(x0), odd0);
            IntVector w1 = weights(row, offset + 4L * i + 2 * VECTOR_BYTES);
            IntVector x1 = IntVector.fromArray(PAIRS, packed, at + i + 2 * VECTOR_INTS);
            even1 = low(w1).fma(low(x1), even1);
            odd1 = high(w1).fma(high(x1), odd1);
        }
        return even0.add(odd0).add(even1.add(odd1));
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
