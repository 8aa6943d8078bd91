package dev.npuflow.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlanWarningTest {

    private static Deployment stated(String argument, Transfer transfer, BufferKey key) {
        return Plans.deployment(Plans.norm().withBufferKey(key)
                .mapArguments(a -> a.name().equals(argument) ? a.withTransfer(transfer) : a));
    }

    @Test void a_plan_that_writes_everything_has_no_warning() {
        assertEquals(List.of(), PlanWarning.of(Plans.deployment(Plans.norm())));
    }

    @Test void a_static_activation_is_stale() {
        PlanWarning warning = PlanWarning.of(stated("x", Transfer.STATIC, BufferKey.PER_LAYER)).getFirst();
        assertEquals("decode call norm, argument x: stated STATIC, derived NONE (activation x changes on every call), "
                + "stale from the second call on", warning.text());
    }

    @Test void a_static_weight_under_a_shared_key_is_stale_and_not_under_a_key_per_layer() {
        assertFalse(PlanWarning.of(stated("weight", Transfer.STATIC, BufferKey.SHARED)).getFirst().harmless());
        assertEquals(List.of(), PlanWarning.of(stated("weight", Transfer.STATIC, BufferKey.PER_LAYER)));
    }

    @Test void an_output_called_static_is_told_and_harmless() {
        assertTrue(PlanWarning.of(stated("y", Transfer.STATIC, BufferKey.SHARED)).getFirst().harmless());
        assertEquals(List.of(), PlanWarning.of(stated("y", Transfer.INTERMEDIATE, BufferKey.SHARED)));
    }
}
