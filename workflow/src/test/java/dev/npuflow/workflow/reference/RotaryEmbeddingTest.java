package dev.npuflow.workflow.reference;

import static dev.npuflow.workflow.block.Rounding.AT_THE_END;
import static dev.npuflow.workflow.block.Rounding.EACH_STEP;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.npuflow.workflow.model.Cases;
import dev.npuflow.workflow.model.Rope;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class RotaryEmbeddingTest {

    /// cos, sin, each product and the sum are rounded to 8 bits; on values up to 8 that is at most 4 · 8 / 256.
    private static final float ROUNDING = 0.125f;
    private static final float[] FREQUENCIES = {1f, 0.1f, 0.01f, 0.001f};

    @ParameterizedTest @ValueSource(ints = {0, 1, 5, 100})
    void rotates_pairs_half_a_head_apart(int position) {
        JsonNode full = Cases.expected("b02").get("full");
        float[] expected = Recorded.floats(full.get("by_position").get("" + position).get("right_half_split"));
        float[] rotated = new RotaryEmbedding(new Rope(8, 10_000, FREQUENCIES, 1f), EACH_STEP).apply(Recorded.floats(full.get("x")), position, 1, 8, Precision.BF16);
        assertArrayEquals(expected, rotated, ROUNDING);
    }

    /// OLMo-2: of the exact value, not of rounded parts.
    @ParameterizedTest @ValueSource(ints = {1, 5, 100})
    void rounds_once_where_the_family_s_code_does(int position) {
        JsonNode full = Cases.expected("b02").get("full");
        float[] exact = Recorded.floats(full.get("by_position").get("" + position).get("right_half_split"));
        float[] rounded = new float[exact.length];
        for (int i = 0; i < exact.length; i++) {
            rounded[i] = Bfloat16.round(exact[i]);
        }
        float[] x = Recorded.floats(full.get("x"));
        Rope rope = new Rope(8, 10_000, FREQUENCIES, 1f);
        assertArrayEquals(rounded, new RotaryEmbedding(rope, AT_THE_END).apply(x, position, 1, 8, Precision.BF16));
        assertFalse(Arrays.equals(rounded, new RotaryEmbedding(rope, EACH_STEP).apply(x, position, 1, 8, Precision.BF16)));
    }

    @ParameterizedTest @ValueSource(ints = {0, 1, 5, 100})
    void a_partial_rotation_lets_the_rest_of_the_head_pass(int position) {
        JsonNode partial = Cases.expected("b02").get("partial");
        float[] expected = Recorded.floats(partial.get("by_position").get("" + position).get("right"));
        float[] rotated = new RotaryEmbedding(new Rope(8, 10_000, FREQUENCIES, 1f), EACH_STEP).apply(Recorded.floats(partial.get("x")), position, 1, 16, Precision.BF16);
        assertArrayEquals(expected, rotated, ROUNDING);
        for (int i = 8; i < 16; i++) {
            assertEquals(expected[i], rotated[i]);
        }
    }

    @Test void several_positions_at_once_equal_one_at_a_time() {
        RotaryEmbedding rope = new RotaryEmbedding(new Rope(4, 10_000, new float[] {1f, 0.25f}, 1f), EACH_STEP);
        float[] x = {1, 2, 3, 4, 5, 6, 7, 8};
        float[] both = rope.apply(x, 6, 2, 4, Precision.BF16);
        float[] second = rope.apply(new float[] {5, 6, 7, 8}, 7, 1, 4, Precision.BF16);
        assertArrayEquals(second, Arrays.copyOfRange(both, 4, 8));
    }

    @Test void the_attention_factor_scales_what_rotates() {
        float[] rotated = new RotaryEmbedding(new Rope(2, 10_000, new float[] {1f}, 2f), EACH_STEP).apply(new float[] {1, 3, 5, 7}, 0, 1, 4, Precision.BF16);
        assertArrayEquals(new float[] {2, 6, 5, 7}, rotated);
    }
}
