package dev.npuflow.skill.reuse;

import static dev.npuflow.plan.Transfer.EVERY_CALL;
import static dev.npuflow.plan.Transfer.INTERMEDIATE;
import static dev.npuflow.plan.Transfer.STATIC;
import static dev.npuflow.skill.testkit.TinyPlans.add;
import static dev.npuflow.skill.testkit.TinyPlans.call;
import static dev.npuflow.skill.testkit.TinyPlans.plan;
import static dev.npuflow.skill.testkit.TinyPlans.rmsNorm;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.testkit.SkillTest;
import dev.npuflow.skill.testkit.TinyModel;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReuseBufferObjectsTest implements SkillTest {

    @Override public Skill skill() {
        return new ReuseBufferObjects();
    }

    @Override public Deployment inapplicable() {
        return plan(call("accumulate", add("sum", "x").into("sum")));
    }

    @Test void keeps_weights_and_what_the_device_overwrites_and_leaves_what_changes() {
        given(plan(call("norm", rmsNorm("x", "weight").into("y"))))
                .becomes("weight", STATIC).becomes("y", INTERMEDIATE).leaves("x", EVERY_CALL);
    }

    @Test void leaves_the_rope_tables() {
        given(TinyModel.baseline()).leaves("rope_q", EVERY_CALL).leaves("rope_k", EVERY_CALL);
    }

    @Test void keys_by_layer_only_where_weights_differ_by_layer() {
        List<String> perLayer = given(TinyModel.baseline()).result().decode().calls().filter(call -> call.bufferKey() == BufferKey.PER_LAYER)
                .map(NpuCall::name).toList();
        assertEquals(List.of("rms_norm_attention", "q_gemv", "k_gemv", "v_gemv", "o_gemv", "rms_norm_ffn", "gate_gemv", "up_gemv", "down_gemv"),
                perLayer);
    }

    @Test void does_one_half_if_the_other_is_switched_off() {
        given(TinyModel.baseline()).with("b1", "off").leaves("q_gemv_weight", EVERY_CALL).becomes("q_roped", INTERMEDIATE);
        given(TinyModel.baseline()).with("b2", "off").becomes("q_gemv_weight", STATIC).leaves("q_roped", EVERY_CALL);
        given(plan(call("norm", rmsNorm("x", "weight").into("y")))).with("b1", "off").with("b2", "off").isSkippedBecause("new host value");
    }

    @Test void a_token_that_uploads_no_weights_is_faster() {
        given(TinyModel.baseline()).becomesFaster();
    }

    @Test void does_not_apply_where_everything_is_read_first() {
        given(inapplicable()).isSkippedBecause("every argument that is written has a new host value on every call");
    }
}
