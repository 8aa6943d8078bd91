package dev.npuflow.npu.kernel;

import static dev.npuflow.npu.kernel.KernelRun.UNTOUCHED;
import static dev.npuflow.npu.kernel.KernelRun.nearest;
import static dev.npuflow.npu.kernel.KernelRun.random;
import static dev.npuflow.npu.kernel.KernelRun.value;
import static dev.npuflow.npu.kernel.KernelRun.whole;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class RowKernelsTest {

    @Test
    void rms_norm_divides_by_the_root_mean_square_and_multiplies_by_the_weight() {
        // 16 values of magnitude 2: the root mean square is 2.
        short[] out = KernelRun.of("rms_norm").shape("rows", 1).shape("n", 16).constant("epsilon", 0)
                .in("in", 16, i -> whole(i % 2 == 0 ? 2 : -2)).in("weight", 16, i -> whole(i)).out("out", 16);
        for (int i = 0; i < 16; i++) {
            assertEquals(i % 2 == 0 ? i : -i, value(out[i]), 0);
        }
    }

    @Test
    void rms_norm_rounds_once_at_the_output() {
        int n = 64;
        short[] in = random(5, 2 * n);
        short[] weight = random(6, n);
        short[] out = KernelRun.of("rms_norm").shape("rows", 2).shape("n", n).constant("epsilon", 1e-5).in("in", in).in("weight", weight)
                .out("out", 2 * n);
        int equal = 0;
        for (int row = 0; row < 2; row++) {
            double squares = 0;
            for (int i = 0; i < n; i++) {
                squares += value(in[row * n + i]) * value(in[row * n + i]);
            }
            for (int i = 0; i < n; i++) {
                double exact = value(in[row * n + i]) / Math.sqrt(squares / n + 1e-5) * value(weight[i]);
                equal += nearest(exact) == out[row * n + i] ? 1 : 0;
            }
        }
        assertEquals(2 * n, equal);
    }

    @Test
    void rope_turns_the_pairs_of_both_halves_and_copies_the_rest() {
        // cos 0, sin 1: a quarter turn sends (a, b) to (−b, a). The pairs of 4 rotated elements are (0, 2) and (1, 3).
        short[] out = KernelRun.of("rope").shape("rows", 1).shape("head_dim", 6).shape("rotary_dim", 4)
                .in("in", whole(1, 2, 3, 4, 5, 6)).in("table", whole(0, 0, 1, 1)).out("out", 6);
        assertArrayEquals(whole(-3, -4, 1, 2, 5, 6), out);
    }

    @Test
    void rope_in_place_is_the_same_as_beside() {
        short[] in = random(7, 32 * 4);
        short[] table = random(8, 32 * 4);
        KernelRun rope = KernelRun.of("rope").shape("rows", 4).shape("head_dim", 32).in("in", in).in("table", table);
        short[] beside = rope.out("out", 32 * 4);
        assertArrayEquals(beside, KernelRun.of("rope").shape("rows", 4).shape("head_dim", 32).in("in", in).in("table", table).inPlace("out", "in"));
    }

    @Test
    void rope_rounds_once() {
        short[] in = random(9, 64);
        short[] table = random(10, 64);
        short[] out = KernelRun.of("rope").shape("rows", 1).shape("head_dim", 64).in("in", in).in("table", table).out("out", 64);
        for (int i = 0; i < 32; i++) {
            assertEquals(nearest(value(in[i]) * value(table[i]) - value(in[i + 32]) * value(table[i + 32])), out[i]);
            assertEquals(nearest(value(in[i + 32]) * value(table[i]) + value(in[i]) * value(table[i + 32])), out[i + 32]);
        }
    }

    @Test
    void an_addition_is_rounded_to_nearest_even() {
        // Between 256 and 512 bf16 counts in twos: 257 is half-way and goes to 256, 259 to 260.
        short[] out = KernelRun.of("eltwise_add").shape("n", 4).in("a", whole(256, 256, -256, 3)).in("b", whole(1, 3, -1, 4)).out("out", 4);
        assertArrayEquals(whole(256, 260, -256, 7), out);
    }

    @Test
    void a_bias_is_added_to_every_row_and_rounded_once() {
        short[] out = KernelRun.of("bias_add").shape("rows", 2).shape("n", 3).in("in", whole(256, 256, 1, 0, -1, 256)).in("bias", whole(1, 3, 2)).out("out", 6);
        assertArrayEquals(whole(256, 260, 3, 1, 2, 258), out);
    }

    @Test
    void a_bias_is_not_added_to_rows_of_padding() {
        short[] out = KernelRun.of("bias_add").shape("rows", 2).shape("n", 2).shape("positions", 2).in("in", whole(1, 2, 3, 4)).in("bias", whole(5, 6))
                .positions(1).out("out", 4);
        assertArrayEquals(new short[] {whole(6), whole(8), UNTOUCHED, UNTOUCHED}, out);
    }

    @Test
    void silu_times_up_is_exact_to_the_last_rounding() {
        short[] gate = random(11, 256);
        short[] up = random(12, 256);
        short[] out = KernelRun.of("silu_mul").shape("n", 256).in("gate", gate).in("up", up).out("out", 256);
        for (int i = 0; i < 256; i++) {
            double exact = value(gate[i]) / (1 + Math.exp(-value(gate[i]))) * value(up[i]);
            assertEquals(nearest(exact), out[i], "element " + i);
        }
    }

    @Test
    void silu_of_extremes_is_finite_where_it_should_be() {
        short[] out = KernelRun.of("silu_mul").shape("n", 4).in("gate", KernelRun.cut(-1e38), KernelRun.cut(200), whole(0), KernelRun.cut(-90))
                .in("up", whole(1, 1, 5, 1)).out("out", 4);
        assertEquals(0, value(out[0]), 0);
        assertEquals(200, value(out[1]), 0);
        assertEquals(0, value(out[2]), 0);
        assertEquals(0, value(out[3]), 1e-30);
    }

    @Test
    void elements_of_padding_are_left_as_they_are() {
        short[] out = KernelRun.of("eltwise_add").shape("n", 64).shape("positions", 4).in("a", random(1, 64)).in("b", random(2, 64)).positions(1)
                .out("out", 64);
        short[] untouched = new short[48];
        Arrays.fill(untouched, UNTOUCHED);
        assertArrayEquals(untouched, Arrays.copyOfRange(out, 16, 64));
    }
}
