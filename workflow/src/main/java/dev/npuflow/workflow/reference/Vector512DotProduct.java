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
///     even0: p[0], p[2] … p[30]     odd0: p[1], p[3] … p[31]      s[0 … 15]  = even0 + odd0
///     even1: p[32] … p[62]          odd1: p[33] … p[63]           s[16 … 31] = even1 + odd1
///
/// C2 keeps vectors in registers only while a method stays small: some 20 vector operations in the loop, no vector returned. Past that it boxes them,
/// ten times slower and without a word. Hence a tile goes over its rows twice, once for the first load of every block and once for the second. Rows
/// that do not end on a block take the scalar way.
final class Vector512DotProduct implements DotProduct {

    private static final VectorSpecies<Integer> INTS = IntVector.SPECIES_512;
    private static final VectorSpecies<Float> FLOATS = FloatVector.SPECIES_512;
    /// The branch predictor cannot know when a long loop ends, and a wrong guess at the end of every row waits for the row's last load: 110 ns, as long
    /// as reading 4 KB. Loops of two and of a few dozen are foreseen: 33 GB/s instead of 20 on one Zen 5 thread at K = 2048, where reading gives 39.
    private static final int GROUP_BLOCKS = 2;
    private static final VectorShuffle<Float> BY_8 = VectorShuffle.iota(FLOATS, 8, 1, true);
    private static final VectorShuffle<Float> BY_4 = VectorShuffle.iota(FLOATS, 4, 1, true);
    private static final VectorShuffle<Float> BY_2 = VectorShuffle.iota(FLOATS, 2, 1, true);
    private static final VectorShuffle<Float> BY_1 = VectorShuffle.iota(FLOATS, 1, 1, true);

    private final DotProduct scalar = new ScalarDotProduct();

    @Override public String name() {
        return "512-bit vectors";
    }

    @Override public float dot(MemorySegment weights, long offset, int[] pairs, int first, int columns) {
        if (columns % PartialSums.COUNT != 0) {
            return scalar.dot(weights, offset, pairs, first, columns);
        }
        FloatVector even0 = FloatVector.zero(FLOATS);
        FloatVector odd0 = even0;
        FloatVector even1 = even0;
        FloatVector odd1 = even0;
        int blocks = columns / PartialSums.COUNT;
        for (int group = 0; group < blocks; group += GROUP_BLOCKS) {
            int end = Math.min(group + GROUP_BLOCKS, blocks);
            for (int block = group; block < end; block++) {
                IntVector w0 = IntVector.fromMemorySegment(INTS, weights, offset + 128L * block, LITTLE_ENDIAN);
                IntVector w1 = IntVector.fromMemorySegment(INTS, weights, offset + 128L * block + 64, LITTLE_ENDIAN);
                IntVector x0 = IntVector.fromArray(INTS, pairs, first + 32 * block);
                IntVector x1 = IntVector.fromArray(INTS, pairs, first + 32 * block + 16);
                even0 = even(w0).fma(even(x0), even0);
                odd0 = odd(w0).fma(odd(x0), odd0);
                even1 = even(w1).fma(even(x1), even1);
                odd1 = odd(w1).fma(odd(x1), odd1);
            }
        }
        return reduce(even0.add(odd0).add(even1.add(odd1)));
    }

    @Override public void dotTwoByTwo(MemorySegment weights, long offset, int[] pairs, int first, int stride, int columns, Tile tile) {
        if (columns % PartialSums.COUNT != 0) {
            scalar.dotTwoByTwo(weights, offset, pairs, first, stride, columns, tile);
            return;
        }
        sumHalf(weights, offset, pairs, first, stride, columns, tile.lanes());
        sumHalf(weights, offset + 64, pairs, first + 16, stride, columns, tile.moreLanes());
        for (int i = 0; i < 4; i++) {
            tile.results()[i] = reduce(FloatVector.fromArray(FLOATS, tile.lanes(), 16 * i).add(FloatVector.fromArray(FLOATS, tile.moreLanes(), 16 * i)));
        }
    }

    /// Sixteen of s[0 … 31] for each of the four outputs.
    private static void sumHalf(MemorySegment weights, long offset, int[] pairs, int first, int stride, int columns, float[] lanes) {
        FloatVector even00 = FloatVector.zero(FLOATS);
        FloatVector even01 = even00, even10 = even00, even11 = even00, odd00 = even00, odd01 = even00, odd10 = even00, odd11 = even00;
        long second = offset + 2L * columns;
        int blocks = columns / PartialSums.COUNT;
        for (int block = 0; block < blocks; block++) {
            IntVector v = IntVector.fromMemorySegment(INTS, weights, offset + 128L * block, LITTLE_ENDIAN);
            IntVector w = IntVector.fromMemorySegment(INTS, weights, second + 128L * block, LITTLE_ENDIAN);
            IntVector x = IntVector.fromArray(INTS, pairs, first + 32 * block);
            IntVector y = IntVector.fromArray(INTS, pairs, first + stride + 32 * block);
            FloatVector evenV = even(v), oddV = odd(v), evenW = even(w), oddW = odd(w);
            FloatVector evenX = even(x), oddX = odd(x), evenY = even(y), oddY = odd(y);
            even00 = evenV.fma(evenX, even00);
            even01 = evenV.fma(evenY, even01);
            even10 = evenW.fma(evenX, even10);
            even11 = evenW.fma(evenY, even11);
            odd00 = oddV.fma(oddX, odd00);
            odd01 = oddV.fma(oddY, odd01);
            odd10 = oddW.fma(oddX, odd10);
            odd11 = oddW.fma(oddY, odd11);
        }
        even00.add(odd00).intoArray(lanes, 0);
        even01.add(odd01).intoArray(lanes, 16);
        even10.add(odd10).intoArray(lanes, 32);
        even11.add(odd11).intoArray(lanes, 48);
    }

    private static FloatVector even(IntVector pairs) {
        return pairs.lanewise(VectorOperators.LSHL, 16).reinterpretAsFloats();
    }

    private static FloatVector odd(IntVector pairs) {
        return pairs.and(0xffff0000).reinterpretAsFloats();
    }

    private static float reduce(FloatVector t) {
        FloatVector by8 = t.add(t.rearrange(BY_8));
        FloatVector by4 = by8.add(by8.rearrange(BY_4));
        FloatVector by2 = by4.add(by4.rearrange(BY_2));
        return by2.add(by2.rearrange(BY_1)).lane(0);
    }
}
