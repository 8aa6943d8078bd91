package dev.npuflow.npu.kernel.dot;

import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/// The Vector API on 512 bits. Two bf16 in one 32-bit lane; a float has the same top half:
///
///     lane   | hi hi hi hi | lo lo lo lo |      hi as float:  lane & 0xffff0000
///                                               lo as float:  lane << 16
///
/// Four accumulators a dot product hold the 64 partial sums: even and odd elements of two vectors.
final class VectorDotProduct implements DotProduct {

    private static final VectorSpecies<Integer> PAIRS = IntVector.SPECIES_512;
    private static final VectorSpecies<Float> SUMS = FloatVector.SPECIES_512;
    private static final int VECTOR_BYTES = 64;
    private static final int VECTOR_INTS = 16;
    private static final int HIGH = 0xffff0000;

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
        for (int i = 0; i < whole / 2; i += 2 * VECTOR_INTS) {
            IntVector w0 = weights(row, offset + 4L * i);
            IntVector x0 = IntVector.fromArray(PAIRS, packed, at + i);
            even0 = low(w0).fma(low(x0), even0);
            odd0 = high(w0).fma(high(x0), odd0);
            IntVector w1 = weights(row, offset + 4L * i + VECTOR_BYTES);
            IntVector x1 = IntVector.fromArray(PAIRS, packed, at + i + VECTOR_INTS);
            even1 = low(w1).fma(low(x1), even1);
            odd1 = high(w1).fma(high(x1), odd1);
        }
        even0.add(even1).add(odd0.add(odd1)).intoArray(scratch, 0);
        return DotProduct.fold(scratch, 0) + ScalarDotProduct.rest(row, offset, packed, at, whole, k);
    }

    /// The accumulators are named by vector half, row and activation vector.
    @Override
    public void dot2x2(MemorySegment rows, long offset, long stride, int[] packed, int at, int step, int k, float[] scratch) {
        FloatVector even000 = FloatVector.zero(SUMS);
        FloatVector odd000 = even000;
        FloatVector even001 = even000;
        FloatVector odd001 = even000;
        FloatVector even010 = even000;
        FloatVector odd010 = even000;
        FloatVector even011 = even000;
        FloatVector odd011 = even000;
        FloatVector even100 = even000;
        FloatVector odd100 = even000;
        FloatVector even101 = even000;
        FloatVector odd101 = even000;
        FloatVector even110 = even000;
        FloatVector odd110 = even000;
        FloatVector even111 = even000;
        FloatVector odd111 = even000;
        int whole = k / PARTIAL_SUMS * PARTIAL_SUMS;
        for (int i = 0; i < whole / 2; i += 2 * VECTOR_INTS) {
            IntVector a = weights(rows, offset + 4L * i);
            IntVector b = weights(rows, offset + stride + 4L * i);
            IntVector x = IntVector.fromArray(PAIRS, packed, at + i);
            IntVector y = IntVector.fromArray(PAIRS, packed, at + step + i);
            even000 = low(a).fma(low(x), even000);
            even001 = low(a).fma(low(y), even001);
            even010 = low(b).fma(low(x), even010);
            even011 = low(b).fma(low(y), even011);
            odd000 = high(a).fma(high(x), odd000);
            odd001 = high(a).fma(high(y), odd001);
            odd010 = high(b).fma(high(x), odd010);
            odd011 = high(b).fma(high(y), odd011);
            IntVector c = weights(rows, offset + 4L * i + VECTOR_BYTES);
            IntVector d = weights(rows, offset + stride + 4L * i + VECTOR_BYTES);
            IntVector u = IntVector.fromArray(PAIRS, packed, at + i + VECTOR_INTS);
            IntVector v = IntVector.fromArray(PAIRS, packed, at + step + i + VECTOR_INTS);
            even100 = low(c).fma(low(u), even100);
            even101 = low(c).fma(low(v), even101);
            even110 = low(d).fma(low(u), even110);
            even111 = low(d).fma(low(v), even111);
            odd100 = high(c).fma(high(u), odd100);
            odd101 = high(c).fma(high(v), odd101);
            odd110 = high(d).fma(high(u), odd110);
            odd111 = high(d).fma(high(v), odd111);
        }
        even000.add(even100).add(odd000.add(odd100)).intoArray(scratch, 0);
        even001.add(even101).add(odd001.add(odd101)).intoArray(scratch, FOLDED_SUMS);
        even010.add(even110).add(odd010.add(odd110)).intoArray(scratch, 2 * FOLDED_SUMS);
        even011.add(even111).add(odd011.add(odd111)).intoArray(scratch, 3 * FOLDED_SUMS);
        scratch[0] = DotProduct.fold(scratch, 0) + ScalarDotProduct.rest(rows, offset, packed, at, whole, k);
        scratch[1] = DotProduct.fold(scratch, FOLDED_SUMS) + ScalarDotProduct.rest(rows, offset, packed, at + step, whole, k);
        scratch[2] = DotProduct.fold(scratch, 2 * FOLDED_SUMS) + ScalarDotProduct.rest(rows, offset + stride, packed, at, whole, k);
        scratch[3] = DotProduct.fold(scratch, 3 * FOLDED_SUMS) + ScalarDotProduct.rest(rows, offset + stride, packed, at + step, whole, k);
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
