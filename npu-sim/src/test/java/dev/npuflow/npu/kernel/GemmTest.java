package dev.npuflow.npu.kernel;

import static dev.npuflow.npu.kernel.KernelRun.UNTOUCHED;
import static dev.npuflow.npu.kernel.KernelRun.random;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GemmTest {

    @ParameterizedTest
    @CsvSource({"4, 128, 64", "5, 192, 33", "1, 96, 16", "3, 77, 5", "17, 64, 18"})
    void every_row_has_the_bits_of_its_gemv(int rows, int k, int n) {
        short[] activations = random(rows, rows * k);
        short[] weight = random(k, n * k);
        short[] product = gemm(rows, k, n).in("activations", activations).in("weight", weight).positions(rows).threads(2).out("out", rows * n);
        for (int row = 0; row < rows; row++) {
            short[] vector = Arrays.copyOfRange(activations, row * k, (row + 1) * k);
            short[] alone = KernelRun.of("gemv").shape("m", n).shape("k", k).in("matrix", weight).in("vector", vector).out("out", n);
            assertArrayEquals(alone, Arrays.copyOfRange(product, row * n, (row + 1) * n), "row " + row);
        }
    }

    @Test
    void rows_of_padding_are_left_as_they_are() {
        short[] out = gemm(8, 64, 16).in("activations", random(1, 8 * 64)).in("weight", random(2, 16 * 64)).positions(3).out("out", 8 * 16);
        for (int i = 3 * 16; i < out.length; i++) {
            assertEquals(UNTOUCHED, out[i]);
        }
    }

    private static KernelRun gemm(int m, int k, int n) {
        return KernelRun.of("gemm").shape("m", m).shape("k", k).shape("n", n).shape("positions", m);
    }
}
