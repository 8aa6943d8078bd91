package dev.npuflow.npu.kernel.attention;

import static dev.npuflow.npu.kernel.KernelRun.UNTOUCHED;
import static dev.npuflow.npu.kernel.KernelRun.random;
import static dev.npuflow.npu.kernel.KernelRun.value;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import dev.npuflow.npu.kernel.KernelRun;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FlashAttentionTest {

    private static final int HEADS = 4;
    private static final int GROUPS = 2;
    private static final int DIM = 64;
    private static final int SEQ = 256;
    private static final int WIDTH = HEADS * DIM;
    private static final int NARROW = GROUPS * DIM;

    private final short[] query = random(1, SEQ * WIDTH);
    private final short[] key = random(2, SEQ * NARROW);
    private final short[] values = random(3, SEQ * NARROW);

    private static KernelRun run(int seq) {
        return KernelRun.of("flash_attention").shape("seq_q", seq).shape("seq_k", seq).shape("heads", HEADS).shape("kv_heads", GROUPS).shape("head_dim", DIM)
                .tile("lqp", 256).tile("num_q_tiles", 4).tile("lkp", 64).tile("hpu", 2).tile("cascade", 4).tile("dv_chunks", 1);
    }

    private KernelRun causal() {
        return run(SEQ).shape("causal", 1).in("query", query).in("key", key).in("value", values);
    }

    /// Softmax in double, straight from its definition.
    private double[] exact(int seq, boolean causal) {
        double[] out = new double[seq * WIDTH];
        for (int position = 0; position < seq; position++) {
            for (int head = 0; head < HEADS; head++) {
                int visible = causal ? position + 1 : seq;
                double total = 0;
                for (int k = 0; k < visible; k++) {
                    double score = 0;
                    for (int i = 0; i < DIM; i++) {
                        score += value(query[position * WIDTH + head * DIM + i]) * value(key[k * NARROW + head / 2 * DIM + i]);
                    }
                    double weight = Math.exp(score / 8);
                    total += weight;
                    for (int i = 0; i < DIM; i++) {
                        out[position * WIDTH + head * DIM + i] += weight * value(values[k * NARROW + head / 2 * DIM + i]);
                    }
                }
                for (int i = 0; i < DIM; i++) {
                    out[position * WIDTH + head * DIM + i] /= total;
                }
            }
        }
        return out;
    }

    private static void assertNear(double[] exact, short[] out) {
        for (int i = 0; i < exact.length; i++) {
            assertEquals(exact[i], value(out[i]), Math.abs(exact[i]) / 255 + 1e-6, "element " + i);
        }
    }

    @Test
    void is_softmax_attention_to_half_a_unit_of_bf16() {
        assertNear(exact(SEQ, true), causal().out("out", SEQ * WIDTH));
        assertNear(exact(SEQ, false), run(SEQ).in("query", query).in("key", key).in("value", values).out("out", SEQ * WIDTH));
    }

    @Test
    void the_first_query_of_a_causal_run_sees_one_key_only() {
        short[] out = causal().out("out", SEQ * WIDTH);
        assertArrayEquals(Arrays.copyOf(values, DIM), Arrays.copyOf(out, DIM));
        assertArrayEquals(Arrays.copyOfRange(values, DIM, 2 * DIM), Arrays.copyOfRange(out, 3 * DIM, 4 * DIM));
    }

    @Test
    void real_positions_have_the_bits_of_the_padded_run_and_the_rest_is_left() {
        short[] padded = causal().out("out", SEQ * WIDTH);
        short[] real = causal().shape("positions", SEQ).positions(77).out("out", SEQ * WIDTH);
        assertArrayEquals(Arrays.copyOf(padded, 77 * WIDTH), Arrays.copyOf(real, 77 * WIDTH));
        assertEquals(UNTOUCHED, real[77 * WIDTH]);
    }

    @Test
    void heads_first_gives_the_same_bits_in_the_other_order() {
        short[] seqFirst = causal().out("out", SEQ * WIDTH);
        short[] headFirst = run(SEQ).shape("causal", 1).shape("head_first", 1).in("query", swapped(query, SEQ, HEADS))
                .in("key", swapped(key, SEQ, GROUPS)).in("value", swapped(values, SEQ, GROUPS)).out("out", SEQ * WIDTH);
        assertArrayEquals(seqFirst, swapped(headFirst, HEADS, SEQ));
    }

    @Test
    void real_positions_stand_without_gaps_heads_first() {
        int real = 5;
        short[] out = run(SEQ).shape("causal", 1).shape("head_first", 1).shape("positions", SEQ).positions(real)
                .in("query", swapped(query, real, HEADS)).in("key", swapped(key, real, GROUPS)).in("value", swapped(values, real, GROUPS))
                .out("out", SEQ * WIDTH);
        assertArrayEquals(Arrays.copyOf(causal().out("out", SEQ * WIDTH), real * WIDTH), swapped(Arrays.copyOf(out, real * WIDTH), HEADS, real));
    }

    @Test
    void threads_do_not_change_a_bit() {
        assertArrayEquals(causal().out("out", SEQ * WIDTH), causal().threads(3).out("out", SEQ * WIDTH));
    }

    @Test
    void scores_far_apart_neither_overflow_nor_vanish() {
        Arrays.fill(query, KernelRun.whole(100));
        Arrays.fill(key, 0, NARROW, KernelRun.whole(100));
        short[] out = causal().out("out", SEQ * WIDTH);
        // 64 · 100 · 100 / 8 = 80,000 outweighs all others: every query gets the first value.
        assertArrayEquals(Arrays.copyOf(values, DIM), Arrays.copyOfRange(out, 200 * WIDTH, 200 * WIDTH + DIM));
    }

    @Test
    void the_exponential_is_right_to_two_units() {
        for (float x = 0; x > -87; x -= 0.0137f) {
            assertEquals(1, Exponential.of(x) / Math.exp(x), 2.4e-7, "x " + x);
        }
        assertEquals(1, Exponential.of(0));
        assertEquals(0, Exponential.of(-1000));
        assertEquals(0, Exponential.of(Float.NEGATIVE_INFINITY));
        assertNotEquals(0, Exponential.of(-86.9f));
    }

    private static short[] swapped(short[] rows, int first, int second) {
        short[] out = new short[first * second * DIM];
        for (int i = 0; i < first; i++) {
            for (int j = 0; j < second; j++) {
                System.arraycopy(rows, (i * second + j) * DIM, out, (j * first + i) * DIM, DIM);
            }
        }
        return out;
    }
}
