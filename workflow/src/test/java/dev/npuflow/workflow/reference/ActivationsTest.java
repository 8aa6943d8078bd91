package dev.npuflow.workflow.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.model.Cases;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

class ActivationsTest {

    /// Recorded from float64 scores; the difference of the fp32 score (151.29 is not one) is the relative error of its exponential.
    @Test void softmax_of_large_and_masked_scores_is_as_recorded() {
        int rows = 0;
        for (JsonNode row : Cases.expected("b06")) {
            if (!row.has("softmax")) {
                continue;
            }
            float[] scores = scores(row.get("scores"));
            double inputRounding = Math.abs(scores[0] - row.get("scores").get(0).asDouble());
            Activations.softmax(scores, scores.length);
            for (int i = 0; i < scores.length; i++) {
                double expected = row.get("softmax").get(i).asDouble();
                assertEquals(expected, scores[i], expected * (1e-6 + inputRounding) + 1e-40, row.toString());
            }
            rows++;
        }
        assertEquals(7, rows);
    }

    @Test void softmax_refuses_a_row_in_which_everything_is_masked() {
        float[] scores = scores(Cases.expected("b06").get("all_masked").get("scores"));
        assertThrows(ArithmeticException.class, () -> Activations.softmax(scores, scores.length));
    }

    @Test void softmax_does_not_touch_scores_behind_its_length() {
        float[] scores = {1, 1, 7};
        Activations.softmax(scores, 2);
        assertEquals(7, scores[2]);
    }

    /// x · sigmoid(x) in float64; a bf16 result is within half a unit of its 8 bits.
    @Test void silu_is_the_nearest_bf16_value() {
        for (int bits = 0; bits < 0x10000; bits++) {
            float x = Bfloat16.value((short) bits);
            if (Math.abs(x) < 80) {
                double expected = x / (1 + Math.exp(-x));
                assertTrue(Math.abs(Activations.silu(x, Precision.BF16) - expected) <= Math.abs(expected) / 250 + 1e-37, () -> "silu of " + x);
            }
        }
    }

    @Test void silu_saturates_without_a_nan() {
        assertEquals(200f, Activations.silu(200f, Precision.BF16));
        assertEquals(0f, Activations.silu(-200f, Precision.BF16), 0f);
    }

    private static float[] scores(JsonNode array) {
        float[] scores = new float[array.size()];
        for (int i = 0; i < scores.length; i++) {
            scores[i] = array.get(i).isString() ? Float.NEGATIVE_INFINITY : array.get(i).floatValue();
        }
        return scores;
    }
}
