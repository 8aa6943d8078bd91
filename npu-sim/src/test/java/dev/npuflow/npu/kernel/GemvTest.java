package dev.npuflow.npu.kernel;

import static dev.npuflow.npu.kernel.KernelRun.random;
import static dev.npuflow.npu.kernel.KernelRun.value;
import static dev.npuflow.npu.kernel.KernelRun.whole;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class GemvTest {

    @Test
    void integers_come_out_exact() {
        int m = 70;
        int k = 192;
        short[] out = KernelRun.of("gemv").shape("m", m).shape("k", k)
                .in("matrix", m * k, i -> whole(i % 5 - 2)).in("vector", k, i -> whole(i % 3 - 1))
                .out("out", m);
        for (int row = 0; row < m; row++) {
            int sum = 0;
            for (int i = 0; i < k; i++) {
                sum += ((row * k + i) % 5 - 2) * (i % 3 - 1);
            }
            assertEquals(sum, value(out[row]), "row " + row);
        }
    }

    @Test
    void a_sum_is_kept_in_fp32_and_rounded_once() {
        // 256 + 1 + 1: bf16 partial sums would stay at 256, whose neighbour is 258.
        short[] out = KernelRun.of("gemv").shape("m", 2).shape("k", 64)
                .in("matrix", 128, i -> whole(i % 64 == 0 ? 128 : i % 64 < 3 ? 1 : 0)).in("vector", 64, i -> whole(i == 0 ? 2 : 1))
                .out("out", 2);
        assertArrayEquals(new short[] {whole(258), whole(258)}, out);
    }

    @Test
    void random_rows_are_within_fp32_error_of_the_exact_sum() {
        int k = 2048;
        short[] matrix = random(1, 4 * k);
        short[] vector = random(2, k);
        short[] out = KernelRun.of("gemv").shape("m", 4).shape("k", k).in("matrix", matrix).in("vector", vector).out("out", 4);
        for (int row = 0; row < 4; row++) {
            double exact = 0;
            for (int i = 0; i < k; i++) {
                exact += value(matrix[row * k + i]) * value(vector[i]);
            }
            assertEquals(exact, value(out[row]), Math.abs(exact) / 256 + 1e-4);
        }
    }

    @Test
    void a_tail_that_is_no_multiple_of_64_is_summed_too() {
        short[] ones = new short[77 * 2];
        Arrays.fill(ones, whole(1));
        short[] out = KernelRun.of("gemv").shape("m", 2).shape("k", 77).in("matrix", ones).in("vector", Arrays.copyOf(ones, 77)).out("out", 2);
        assertArrayEquals(whole(77, 77), out);
    }

    @Test
    void the_number_of_threads_does_not_change_a_bit() {
        short[] matrix = random(3, 300 * 256);
        short[] vector = random(4, 256);
        short[] one = KernelRun.of("gemv").shape("m", 300).shape("k", 256).in("matrix", matrix).in("vector", vector).out("out", 300);
        short[] three = KernelRun.of("gemv").shape("m", 300).shape("k", 256).in("matrix", matrix).in("vector", vector).threads(3).out("out", 300);
        assertArrayEquals(one, three);
    }
}
