package dev.npuflow.workflow.generation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class DivergenceTest {

    /// ½ ln(½ / ¾) + ½ ln(½ / ¼) = ½ ln(4/3), and the other way round ¾ ln(3/2) + ¼ ln(1/2).
    @Test void it_is_the_expectation_of_the_logarithm_of_the_ratio() {
        float[] half = logits(0.5, 0.5);
        float[] quarters = logits(0.75, 0.25);
        assertEquals(0.143841036, Divergence.of(half, quarters), 1e-7);
        assertEquals(0.130812036, Divergence.of(quarters, half), 1e-7);
    }

    @Test void equal_distributions_are_nothing_apart_whatever_is_added_to_the_logits() {
        assertEquals(0, Divergence.of(new float[] {1, 2, 3}, new float[] {1, 2, 3}));
        assertEquals(0, Divergence.of(new float[] {1, 2, 3}, new float[] {101, 102, 103}), 1e-12);
    }

    @Test void large_logits_do_not_overflow() {
        assertEquals(1000, Divergence.of(new float[] {1000, 0}, new float[] {0, 1000}), 1e-9);
        assertTrue(Double.isFinite(Divergence.of(new float[] {Float.MAX_VALUE, 0}, new float[] {0, 0})));
    }

    @Test void two_vocabularies_are_not_compared() {
        assertThrows(IllegalArgumentException.class, () -> Divergence.of(new float[3], new float[4]));
    }

    private static float[] logits(double... probabilities) {
        float[] logits = new float[probabilities.length];
        for (int i = 0; i < logits.length; i++) {
            logits[i] = (float) Math.log(probabilities[i]);
        }
        return logits;
    }
}
