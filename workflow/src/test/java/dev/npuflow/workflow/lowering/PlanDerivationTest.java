package dev.npuflow.workflow.lowering;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Transfer;
import java.util.List;
import org.junit.jupiter.api.Test;

class PlanDerivationTest {

    private static final Deployment BASELINE = BaselineAssembler.assemble(BaselineAssemblerTest.TINY, "npu2", new PublishedLimits());

    @Test void shows_the_derived_sets_of_every_call() {
        PlanDerivation.CallSets norm = PlanDerivation.of(BASELINE).calls().stream()
                .filter(call -> call.phase() == Phase.DECODE && call.call().equals("rms_norm_attention")).findFirst().orElseThrow();
        assertEquals(List.of("x", "rms_norm_attention_weight"), norm.everyCall());
        assertEquals(List.of("normed"), norm.intermediate());
        assertEquals(List.of("normed"), norm.output());
        assertEquals(3 * 192 * 2, norm.writtenBytes());
    }

    @Test void the_head_is_static_under_its_shared_key() {
        PlanDerivation.CallSets head = PlanDerivation.of(BASELINE).calls().getLast();
        assertEquals(List.of("lm_head_0_weight"), head.staticSet());
    }

    @Test void the_text_ends_with_the_warnings() {
        Deployment wrong = BASELINE.mapCalls(Phase.DECODE, call -> call.mapArguments(
                argument -> argument.name().equals("rope_k") ? argument.withTransfer(Transfer.STATIC) : argument));
        assertTrue(PlanDerivation.of(wrong).text().endsWith("warning: decode call rope_k, argument rope_k: stated STATIC, derived NONE "
                + "(look-up table rope_k changes with the position), stale from the second call on\n"));
        assertTrue(!PlanDerivation.of(BASELINE).text().contains("warning"));
    }
}
