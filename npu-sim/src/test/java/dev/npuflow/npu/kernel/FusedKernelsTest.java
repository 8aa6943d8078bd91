package dev.npuflow.npu.kernel;

import static dev.npuflow.npu.kernel.KernelRun.nearest;
import static dev.npuflow.npu.kernel.KernelRun.random;
import static dev.npuflow.npu.kernel.KernelRun.value;
import static dev.npuflow.npu.kernel.KernelRun.whole;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FusedKernelsTest {

    private static final int K = 512;

    @Test
    void gemv_add_has_the_bits_of_gemv_and_of_an_addition() {
        int m = 70;
        short[] matrix = random(1, m * K);
        short[] vector = random(2, K);
        short[] addend = random(3, m);
        short[] product = KernelRun.of("gemv").shape("m", m).shape("k", K).in("matrix", matrix).in("vector", vector).out("out", m);
        short[] sum = KernelRun.of("eltwise_add").shape("n", m).in("a", product).in("b", addend).out("out", m);
        assertArrayEquals(sum, gemvAdd(matrix, vector, addend).out("out", m));
        assertArrayEquals(sum, gemvAdd(matrix, vector, addend).inPlace("out", "addend"));
    }

    private static KernelRun gemvAdd(short[] matrix, short[] vector, short[] addend) {
        return KernelRun.of("gemv_add").shape("m", addend.length).shape("k", K).in("matrix", matrix).in("vector", vector).in("addend", addend);
    }

    @Test
    void integers_through_gemv_add_come_out_exact() {
        short[] out = KernelRun.of("gemv_add").shape("m", 4).shape("k", K).in("matrix", 4 * K, i -> whole(i / K)).in("vector", K, i -> whole(i < 3 ? 1 : 0))
                .in("addend", whole(1, 2, 3, 4)).out("out", 4);
        assertArrayEquals(whole(1, 5, 9, 13), out);
    }

    @Test
    void swiglu_takes_gate_and_up_rows_in_turn() {
        // in = 1 everywhere, so the norm is 1 and a row's product is the sum of its entries: gate 4, up 3, then gate 0, up 5.
        int[] sums = {4, 3, 0, 5};
        short[] ones = new short[K];
        Arrays.fill(ones, whole(1));
        short[] out = KernelRun.of("gemv_swiglu_rms").shape("m", 4).shape("k", K).constant("epsilon", 0).herdRows(4)
                .in("matrix", 4 * K, i -> whole(i % K < sums[i / K] ? 1 : 0)).in("in", ones).in("weight", ones).out("out", 2);
        assertEquals(nearest(4 / (1 + Math.exp(-4)) * 3), out[0]);
        assertEquals(0, value(out[1]));
    }

    @Test
    void the_norm_is_in_it_with_its_weight_and_epsilon() {
        short[] threes = new short[K];
        Arrays.fill(threes, whole(3));
        short[] twos = new short[K];
        Arrays.fill(twos, whole(2));
        // 3 / sqrt(9 + 16) · 2 = 1.2 in bf16, 8 of them.
        double normed = value(nearest(1.2));
        short[] out = KernelRun.of("gemv_swiglu_rms").shape("m", 2).shape("k", K).constant("epsilon", 16).herdRows(2)
                .in("matrix", 2 * K, i -> whole(i % K < 8 ? 1 : 0)).in("in", threes).in("weight", twos).out("out", 1);
        double sum = 8 * normed;
        assertEquals(nearest(sum / (1 + Math.exp(-sum)) * sum), out[0]);
    }

    @Test
    void a_random_swiglu_is_within_a_rounding_of_the_exact_one() {
        int pairs = 6;
        short[] matrix = random(4, 2 * pairs * K);
        short[] in = random(5, K);
        short[] weight = random(6, K);
        short[] normed = KernelRun.of("rms_norm").shape("rows", 1).shape("n", K).constant("epsilon", 1e-5).in("in", in).in("weight", weight).out("out", K);
        short[] out = KernelRun.of("gemv_swiglu_rms").shape("m", 2 * pairs).shape("k", K).constant("epsilon", 1e-5).herdRows(4).in("matrix", matrix)
                .in("in", in).in("weight", weight).threads(3).out("out", pairs);
        for (int pair = 0; pair < pairs; pair++) {
            double gate = dot(matrix, 2 * pair, normed);
            double up = dot(matrix, 2 * pair + 1, normed);
            double exact = gate / (1 + Math.exp(-gate)) * up;
            assertEquals(exact, value(out[pair]), Math.abs(exact) / 256 + 1e-4);
        }
    }

    private static double dot(short[] matrix, int row, short[] vector) {
        double sum = 0;
        for (int i = 0; i < K; i++) {
            sum += value(matrix[row * K + i]) * value(vector[i]);
        }
        return sum;
    }
}
