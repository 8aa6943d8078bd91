package dev.npuflow.workflow.gate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.workflow.gate.ObservedStep.Vector;
import java.util.List;
import org.junit.jupiter.api.Test;

class SelfCheckTest {

    private static List<ObservedStep> observed(float... layer) {
        return List.of(new ObservedStep(0, List.of(new Vector("logits", new float[] {4, 5}))),
                new ObservedStep(1, List.of(new Vector("layer 0", layer), new Vector("logits", new float[] {1, 2}))));
    }

    @Test void equal_bits_pass() {
        SelfCheck check = SelfCheck.compare(observed(1, 2, 3), observed(1, 2, 3), false);
        assertTrue(check.passed());
        assertEquals(1, check.cosine());
        assertEquals(0, check.maxAbs());
    }

    @Test void one_bit_more_does_not_pass_where_arithmetic_must_not_change_and_is_named() {
        SelfCheck check = SelfCheck.compare(observed(1, 2, 3), observed(1, Math.nextUp(2f), 3), false);
        assertFalse(check.passed());
        assertTrue(check.failure().orElseThrow().startsWith("step 1, layer 0: 1 values differ, the first at index 1"), check.failure().toString());
    }

    @Test void the_sign_of_a_zero_is_a_bit_too() {
        assertFalse(SelfCheck.compare(observed(0, 1), observed(-0f, 1), false).passed());
    }

    @Test void a_small_difference_passes_where_arithmetic_may_change() {
        SelfCheck check = SelfCheck.compare(observed(1, 2, 4), observed(1, 2.5f, 4), true);
        assertTrue(check.passed());
        assertEquals(0.5, check.maxAbs());
        assertEquals(0.25, check.maxRel());
        assertEquals(22 / Math.sqrt(21 * 23.25), check.cosine(), 1e-12);
    }

    @Test void what_passed_by_its_cosine_is_not_called_equal() {
        assertEquals("cosine 0.995638 to the plan before, largest difference 0.5000", SelfCheck.compare(observed(1, 2, 4), observed(1, 2.5f, 4), true).text());
        assertEquals("equal to the plan before", SelfCheck.compare(observed(1, 2, 4), observed(1, 2, 4), true).text());
        assertTrue(SelfCheck.compare(observed(1, 2), observed(0, 0), true).text().startsWith("step 1, layer 0"));
    }

    @Test void a_cosine_below_0_99_does_not_pass() {
        assertFalse(SelfCheck.compare(observed(1, 0), observed(1, 0.15f), true).passed());
        assertTrue(SelfCheck.compare(observed(1, 0), observed(1, 0.14f), true).passed());
    }

    @Test void steps_of_another_number_or_shape_are_named() {
        assertEquals("2 steps before, 1 after", SelfCheck.compare(observed(1), observed(1).subList(0, 1), true).failure().orElseThrow());
        assertEquals("step 1 holds [layer 0[2], logits[2]] before, [layer 0[3], logits[2]] after",
                SelfCheck.compare(observed(1, 2), observed(1, 2, 3), true).failure().orElseThrow());
        assertEquals("nothing was compared", SelfCheck.compare(List.of(new ObservedStep(0, List.of())), List.of(new ObservedStep(0, List.of())), false).failure().orElseThrow());
    }

    @Test void figures_that_do_not_exist_are_told_by_what_stood_in_the_way() {
        SelfCheck shapes = SelfCheck.compare(observed(1, 2), observed(1, 2, 3), true);
        assertEquals("none (step 1 holds [layer 0[2], logits[2]] before, [layer 0[3], logits[2]] after)", shapes.cosineText());
        assertEquals(shapes.cosineText(), shapes.differenceText());
        for (float odd : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
            assertEquals("none (step 1, layer 0: a value is not finite)", SelfCheck.compare(observed(1, 2), observed(1, odd), true).differenceText());
        }
        SelfCheck values = SelfCheck.compare(observed(1, 2, 4), observed(1, 2.5f, 4), true);
        assertEquals(List.of("0.995638", "0.5000 / 0.2500"), List.of(values.cosineText(), values.differenceText()));
    }

    @Test void zeros_against_values_do_not_pass() {
        assertFalse(SelfCheck.compare(observed(1, 2), observed(0, 0), true).passed());
    }

    @Test void nan_does_not_pass_even_where_both_sides_hold_it() {
        assertFalse(SelfCheck.compare(observed(Float.NaN, 1), observed(Float.NaN, 1), false).passed());
    }

    @Test void a_check_of_any_outcome_comes_back_from_the_ledgers_json() {
        for (SelfCheck check : List.of(SelfCheck.compare(observed(1, 2), observed(1, 2), false), SelfCheck.compare(List.of(), List.of(), false),
                SelfCheck.compare(observed(Float.NaN, 1), observed(2, 1), true))) {
            assertEquals(check, CanonicalJson.read(CanonicalJson.write(check), SelfCheck.class));
        }
    }

    @Test void nothing_compared_or_another_shape_does_not_pass() {
        assertFalse(SelfCheck.compare(List.of(), List.of(), false).passed());
        assertFalse(SelfCheck.compare(observed(1, 2), observed(1, 2, 3), true).passed());
        assertFalse(SelfCheck.compare(observed(1), observed(1).subList(0, 1), true).passed());
    }
}
