package dev.npuflow.workflow.reference;

import static dev.npuflow.workflow.block.Rounding.AT_THE_END;
import static dev.npuflow.workflow.block.Rounding.EACH_STEP;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class RmsNormTest {

    @Test void divides_by_the_root_of_the_mean_square() {
        assertArrayEquals(new float[] {1, -1, 2, -2}, new RmsNorm(new float[] {1, 1, 2, 2}, 0f, EACH_STEP).apply(new float[] {3, -3, 3, -3}, Precision.BF16));
    }

    /// x = (1, 2), epsilon 0: 1 / √2.5 = 0.632456, as bf16 0.6328125. For some weights one rounding at the end would give another value.
    @Test void rounds_before_the_weight_and_after_it() {
        double normed = 1 / Math.sqrt(2.5);
        int told = 0;
        for (int step = 0; step < 128; step++) {
            float weight = 1f + step / 128f;
            float[] out = new RmsNorm(new float[] {weight, weight}, 0f, EACH_STEP).apply(new float[] {1, 2}, Precision.BF16);
            assertEquals(Bfloat16.round(0.6328125f * weight), out[0]);
            told += Bfloat16.round((float) (normed * weight)) == out[0] ? 0 : 1;
        }
        assertTrue(told > 0, "no weight tells one rounding from two");
    }

    /// OLMo-2: the same, with the one rounding.
    @Test void rounds_once_where_the_family_s_code_does() {
        double normed = 1 / Math.sqrt(2.5);
        for (int step = 0; step < 128; step++) {
            float weight = 1f + step / 128f;
            assertEquals(Bfloat16.round((float) (normed * weight)), new RmsNorm(new float[] {weight, weight}, 0f, AT_THE_END).apply(new float[] {1, 2}, Precision.BF16)[0]);
        }
    }

    @Test void epsilon_keeps_zeros_finite() {
        assertArrayEquals(new float[] {0, 0}, new RmsNorm(new float[] {1, 1}, 1e-5f, EACH_STEP).apply(new float[] {0, 0}, Precision.BF16));
    }

    @Test void heads_are_normalised_apart() {
        assertArrayEquals(new float[] {1, 1, 1, 1}, new RmsNorm(new float[] {1, 1}, 0f, EACH_STEP).apply(new float[] {2, 2, 8, 8}, Precision.BF16));
    }
}
