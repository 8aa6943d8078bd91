package dev.npuflow.workflow.lens;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.npuflow.plan.Phase;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class OperatorNoiseTest {

    private final OperatorNoise noise = new OperatorNoise(new TreeMap<>(Map.of("decode/q", 0.01, "prefill/normed", 0.0)));

    @Test void an_operator_is_wrong_beyond_four_times_what_bf16_alone_moves_it() {
        assertEquals(0.04, noise.limit(Phase.DECODE, "q"));
    }

    @Test void the_two_phases_have_their_own_noise() {
        assertEquals(0.0078125, noise.limit(Phase.PREFILL, "q"));
    }

    @Test void an_operator_that_happened_to_round_alike_is_not_wrong_for_a_last_bit() {
        assertEquals(0.0078125, noise.limit(Phase.PREFILL, "normed"), "4 / 512");
    }

    @Test void operators_computed_in_one_may_be_as_far_off_as_all_of_them_are() {
        assertEquals(0.04 + 0.0078125, noise.limit(Phase.DECODE, List.of("normed", "q")));
    }
}
