package dev.npuflow.skill.fuse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Step;
import dev.npuflow.plan.Transfer;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.skill.testkit.SkillTest;
import dev.npuflow.skill.testkit.TinyModel;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FuseDecodeFeedForwardTest implements SkillTest {

    /// The smallest widths that the kernels take.
    private static final ModelShape FUSABLE = new ModelShape("fusable_test", 2, 512, 512, 16, 4, 32, 128, false, false, false, 1e-5, 2048);

    @Override public Skill skill() {
        return new FuseDecodeFeedForward();
    }

    @Override public ModelShape shape() {
        return FUSABLE;
    }

    @Override public Deployment inapplicable() {
        return TinyModel.baseline();
    }

    private NpuCall fused(Deployment plan) {
        return given(plan).result().decode().calls().filter(call -> call.name().equals("o_gemv_ffn")).findFirst().orElseThrow();
    }

    @Test void eight_calls_become_one_of_three_launches() {
        given(applicable()).becomesSteps("embed", "rope_q_table", "rope_k_table", "rms_norm_attention", "q_gemv", "k_gemv", "v_gemv",
                "rope_q", "rope_k", "decode_attention", "o_gemv_ffn", "final_rms_norm", "lm_head_0", "argmax");
        assertEquals(List.of("gemv_add", "gemv_swiglu_rms", "gemv_add"), fused(applicable()).launches().stream().map(Launch::kernel).toList());
        given(applicable()).becomesFaster();
    }

    @Test void gate_and_up_rows_are_interleaved_and_the_norm_is_packed_behind_the_residual() {
        NpuCall call = fused(applicable());
        Source.InterleavedWeights weights = (Source.InterleavedWeights) call.argument("gate_up_weight").source();
        assertEquals(List.of("model.layers.{layer}.mlp.gate_proj.weight", "model.layers.{layer}.mlp.up_proj.weight"),
                weights.weights().stream().map(Source.Weight::tensor).toList());
        assertEquals(List.of(512, 512), ((Source.Packed) call.argument("residual_and_norm").source()).sizes());
    }

    @Test void weights_that_stayed_on_the_device_still_do() {
        Deployment reused = applicable().mapCalls(Phase.DECODE, call -> call.withBufferKey(BufferKey.PER_LAYER)
                .mapArguments(argument -> argument.source() instanceof Source.Weight ? argument.withTransfer(Transfer.STATIC) : argument));
        NpuCall call = fused(reused);
        assertEquals(BufferKey.PER_LAYER, call.bufferKey());
        assertEquals(List.of("attention", "x"), written(call));
        assertEquals(List.of(), given(reused).warnings());
        assertEquals(8, written(fused(applicable())).size(), "nothing is kept that was not");
    }

    private static List<String> written(NpuCall call) {
        return call.arguments().stream().filter(argument -> argument.transfer() == Transfer.EVERY_CALL).map(Argument::name).toList();
    }

    @Test void a_width_that_the_kernels_do_not_take_is_named() {
        given(TinyModel.baseline()).isSkippedBecause("K (64) must be divisible by 512");
        ModelShape wide = new ModelShape("wide", 2, 3072, 8192, 24, 8, 128, 128, false, false, false, 1e-5, 2048);
        given(TinyModel.baseline(wide)).isSkippedBecause("Size may not exceed 1023");
    }

    @Test void a_value_that_is_read_outside_keeps_the_launches_apart() {
        Deployment plan = applicable();
        NpuCall gate = plan.decode().calls().filter(call -> call.name().equals("gate_gemv")).findFirst().orElseThrow();
        NpuCall spy = new NpuCall("spy", gate.launches(), gate.arguments(), gate.bufferKey(), new ElfOptions(true, 16));
        List<Step> layer = new ArrayList<>(plan.decode().layer());
        layer.add(spy);
        given(plan.withPhase(Phase.DECODE, new PhasePlan(plan.decode().prologue(), layer, plan.decode().epilogue())))
                .isSkippedBecause("nothing read in between");
    }

    /// The fused kernel adds the residual to O's fp32 sum; a bias in between would be lost.
    @Test void a_bias_between_o_and_the_addition_keeps_the_launches_apart() {
        Deployment biased = TinyModel.baseline(FUSABLE.withOutputBias());
        assertTrue(biased.decode().calls().anyMatch(call -> call.name().equals("o_bias")));
        given(biased).isSkippedBecause("nothing read in between");
    }

    @Test void prefill_is_left_alone() {
        SkillContext prefill = new SkillContext(Phase.PREFILL, TinyModel.traits(), new TreeMap<>(), TinyModel.placement(), List.of());
        assertTrue(skill().assess(applicable(), prefill).reason().contains("decode only"));
    }
}
