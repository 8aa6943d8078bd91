package dev.npuflow.npu.kernel.dot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.npuflow.npu.kernel.KernelRun;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DotProductTest {

    private static final List<DotProduct> ALL = List.of(new ScalarDotProduct(), new Vector256DotProduct(), new Vector512DotProduct());

    /// The order of summation as the interface states it, written again in plain arithmetic.
    private static float stated(short[] row, short[] vector) {
        int whole = row.length / 64 * 64;
        float[] p = new float[64];
        for (int i = 0; i < whole; i++) {
            p[i % 64] = Math.fma(value(row[i]), value(vector[i]), p[i % 64]);
        }
        float[] s = new float[16];
        for (int j = 0; j < 16; j++) {
            s[j] = (p[2 * j] + p[2 * j + 1]) + (p[2 * j + 32] + p[2 * j + 33]);
        }
        float folded = tree(s, 0, 16);
        float rest = 0;
        for (int i = whole; i < row.length; i++) {
            rest = Math.fma(value(row[i]), value(vector[i]), rest);
        }
        return whole == row.length ? folded : folded + rest;
    }

    /// s[j] + s[j + n/2] folded again is the sum of the even and the odd half of the indices by their lowest bit.
    private static float tree(float[] s, int from, int size) {
        int step = 16 / size;
        return size == 1 ? s[from] : tree(s, from, size / 2) + tree(s, from + step, size / 2);
    }

    private static float value(short bits) {
        return (float) KernelRun.value(bits);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 31, 63, 64, 65, 128, 200, 2048})
    void every_implementation_sums_in_the_stated_order(int k) {
        for (int seed = 0; seed < 20; seed++) {
            short[] row = KernelRun.random(seed, k);
            short[] vector = KernelRun.random(seed + 1000L, k);
            float expected = stated(row, vector);
            for (DotProduct dot : ALL) {
                PackedRows packed = PackedRows.of(MemorySegment.ofArray(vector), 1, k);
                float actual = dot.dot(MemorySegment.ofArray(row), 0, packed.packed(), 0, k, new float[16]);
                assertEquals(Float.floatToRawIntBits(expected), Float.floatToRawIntBits(actual), dot.description());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 64, 77, 192})
    void four_at_once_are_the_same_as_one_by_one(int k) {
        short[] rows = KernelRun.random(1, 2 * k);
        short[] vectors = KernelRun.random(2, 2 * k);
        // One byte further on: mapped tensors may start at an odd address.
        MemorySegment odd = Arena.ofAuto().allocate(4L * k + 1);
        MemorySegment.copy(MemorySegment.ofArray(rows), 0, odd, 1, 4L * k);
        PackedRows packed = PackedRows.of(MemorySegment.ofArray(vectors), 2, k);
        for (DotProduct dot : ALL) {
            float[] four = new float[128];
            dot.dot2x2(odd, 1, 2L * k, packed.packed(), 0, packed.stride(), k, four);
            for (int i = 0; i < 4; i++) {
                float one = dot.dot(odd, 1 + 2L * k * (i / 2), packed.packed(), i % 2 * packed.stride(), k, new float[16]);
                assertEquals(one, four[i], dot.description());
            }
        }
    }
}
