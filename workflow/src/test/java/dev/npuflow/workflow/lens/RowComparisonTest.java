package dev.npuflow.workflow.lens;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.npuflow.npu.kernel.Bfloat16;
import org.junit.jupiter.api.Test;

/// Right values worked out by hand from the formulas of upstream's diagnosis.
class RowComparisonTest {

    private static short[] bf16(double... values) {
        short[] narrowed = new short[values.length];
        for (int i = 0; i < values.length; i++) {
            narrowed[i] = Bfloat16.fromFloat((float) values[i]);
        }
        return narrowed;
    }

    @Test void a_row_is_a_position_and_percentiles_lie_between_rows() {
        RowComparison found = RowComparison.of(bf16(1, 0, 0, 1, 1, 1), bf16(1, 0, 1, 0, 1, 0), 3);
        assertEquals(0, found.cosine().min());
        assertEquals(Math.sqrt(0.5), found.cosine().median(), 1e-12);
        assertEquals(0.1 * Math.sqrt(0.5), found.cosine().p5(), 1e-12);
        assertEquals((1 + Math.sqrt(0.5)) / 3, found.cosine().mean(), 1e-12);
    }

    @Test void relative_errors_have_a_smallest_denominator() {
        RowComparison found = RowComparison.of(bf16(3, 0.5), bf16(2, 0), 1);
        assertEquals(1, found.errors().maxAbs());
        assertEquals(0.75, found.errors().meanAbs());
        assertEquals(5e5, found.errors().maxRel(), 1e-3);
        assertEquals(250000.25, found.errors().meanRel(), 1e-3);
    }

    @Test void a_row_without_length_scores_0_and_equal_rows_1() {
        assertEquals(0, RowComparison.of(bf16(0, 0), bf16(1, 2), 1).cosine().mean());
        assertEquals(1, RowComparison.of(bf16(1, 2), bf16(1, 2), 1).cosine().mean(), 1e-12);
    }
}
