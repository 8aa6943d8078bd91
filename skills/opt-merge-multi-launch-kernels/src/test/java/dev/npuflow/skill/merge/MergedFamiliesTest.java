package dev.npuflow.skill.merge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Step;
import dev.npuflow.skill.Assessment.Proposal;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.skill.testkit.TinyModel;
import dev.npuflow.workflow.block.PreNorm;
import dev.npuflow.workflow.lowering.aie.UpstreamAssembler;
import dev.npuflow.workflow.lowering.aie.UpstreamForm;
import dev.npuflow.workflow.model.Architecture;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The shapes of the published configurations, merged as they place and as upstream splits them.
class MergedFamiliesTest {

    private static final ModelShape LLAMA_1B = new ModelShape("llama32_1b", 16, 2048, 8192, 32, 8, 64, 128256, true, false, false, 1e-5, 2048);
    private static final ModelShape LLAMA_3B = new ModelShape("llama32_3b", 28, 3072, 8192, 24, 8, 128, 128256, true, false, false, 1e-5, 2048);
    private static final ModelShape SMOLLM2 = new ModelShape("smollm2_1_7b", 24, 2048, 8192, 32, 32, 64, 49152, true, false, false, 1e-5, 2048);
    private static final ModelShape QWEN25_05B = new ModelShape("qwen25_0_5b", 24, 896, 4864, 14, 2, 64, 151936, true, true, false, 1e-6, 2048);
    private static final ModelShape QWEN25_15B = new ModelShape("qwen25_1_5b", 28, 1536, 8960, 12, 2, 128, 151936, true, true, false, 1e-6, 2048);
    private static final ModelShape QWEN25_3B = new ModelShape("qwen25_3b", 36, 2048, 11008, 16, 2, 128, 151936, true, true, false, 1e-6, 2048);
    private static final ModelShape QWEN3_06B = new ModelShape("qwen3_0_6b", 28, 1024, 3072, 16, 8, 128, 151936, true, false, true, 1e-6, 2048);
    private static final ModelShape QWEN3_17B = new ModelShape("qwen3_1_7b", 28, 2048, 6144, 16, 8, 128, 151936, true, false, true, 1e-6, 2048);
    private static final ModelShape QWEN3_4B = new ModelShape("qwen3_4b", 36, 2560, 9728, 32, 8, 128, 151936, true, false, true, 1e-6, 2048);

    private static final Map<String, String> CONSERVATIVE = Map.of("conservative", "on");

    static Stream<ModelShape> published() {
        return Stream.of(LLAMA_1B, LLAMA_3B, SMOLLM2, QWEN25_05B, QWEN25_15B, QWEN25_3B, QWEN3_06B, QWEN3_17B, QWEN3_4B);
    }

    private static Deployment merged(ModelShape model, Phase phase, Map<String, String> options) {
        SkillContext context = context(phase, options);
        Deployment baseline = TinyModel.baseline(model);
        return proposed(baseline, context).plan();
    }

    private static Proposal proposed(Deployment plan, SkillContext context) {
        return assertInstanceOf(Proposal.class, new MergeLaunches().assess(plan, context));
    }

    private static List<String> layer(ModelShape model, Phase phase, Map<String, String> options) {
        return merged(model, phase, options).phase(phase).layer().stream().filter(NpuCall.class::isInstance).map(step -> step.name()).toList();
    }

    @ParameterizedTest @MethodSource("published") void has_at_most_as_many_calls_as_upstreams_plan_and_conservative_exactly_as_many(ModelShape model) {
        for (Phase phase : Phase.values()) {
            long upstreams = upstream(model).phase(phase).callsPerPass(model.layers());
            long calls = merged(model, phase, Map.of()).phase(phase).callsPerPass(model.layers());
            assertTrue(calls <= upstreams, "%s: %d calls".formatted(phase, calls));
            assertEquals(upstreams, merged(model, phase, CONSERVATIVE).phase(phase).callsPerPass(model.layers()));
        }
    }

    @ParameterizedTest @MethodSource("published") void a_bias_on_o_costs_no_call(ModelShape model) {
        ModelShape biased = model.withOutputBias();
        for (Phase phase : Phase.values()) {
            assertEquals(upstream(biased).phase(phase).callsPerPass(model.layers()), merged(biased, phase, CONSERVATIVE).phase(phase).callsPerPass(model.layers()));
            assertEquals(merged(model, phase, Map.of()).phase(phase).callsPerPass(model.layers()), merged(biased, phase, Map.of()).phase(phase).callsPerPass(model.layers()));
        }
    }

    private static Deployment upstream(ModelShape model) {
        Architecture architecture = model.queryKeyValueBias() ? Architecture.QWEN2 : model.queryKeyNorm() ? Architecture.QWEN3 : Architecture.LLAMA;
        return UpstreamAssembler.assemble(model, PreNorm.of(model), architecture, Devices.load(TinyModel.DEVICE, List.of()), UpstreamForm.CURRENT);
    }

    /// Steps by name and host operations whole; of the others upstream's plan differs in tiles and buffer objects.
    @ParameterizedTest @MethodSource("published") void a_conservative_decode_layer_has_upstreams_steps(ModelShape model) {
        List<Step> expected = upstream(model).decode().layer();
        List<Step> layer = merged(model, Phase.DECODE, CONSERVATIVE).decode().layer();
        assertEquals(expected.stream().map(Step::name).toList(), layer.stream().map(Step::name).toList());
        assertEquals(expected.stream().filter(HostOp.class::isInstance).toList(), layer.stream().filter(HostOp.class::isInstance).toList());
    }

    @Test void only_a_split_that_moves_operations_to_the_host_changes_arithmetic() {
        List<ModelShape> changed = published().filter(model -> changesBits(model, Phase.DECODE, CONSERVATIVE)).toList();
        assertEquals(List.of(LLAMA_3B, QWEN25_05B, QWEN25_15B, QWEN25_3B, QWEN3_4B), changed);
        assertTrue(published().noneMatch(model -> changesBits(model, Phase.PREFILL, CONSERVATIVE) || changesBits(model, Phase.DECODE, Map.of())));
    }

    private static boolean changesBits(ModelShape model, Phase phase, Map<String, String> options) {
        return proposed(TinyModel.baseline(model), context(phase, options)).changesBits();
    }

    private static SkillContext context(Phase phase, Map<String, String> options) {
        return new SkillContext(phase, TinyModel.traits(), new TreeMap<>(options), TinyModel.placement(), List.of());
    }

    @Test void prefill_has_three_calls_a_layer_with_attention_on_its_own() {
        assertEquals(List.of("rms_gemms_rope", "flash_attn", "o_ffn"), layer(LLAMA_1B, Phase.PREFILL, Map.of()));
        assertEquals(List.of("rms_qkv_bias_rope", "flash_attn", "o_ffn"), layer(QWEN25_3B, Phase.PREFILL, Map.of()));
        assertEquals(List.of("rms_qkv_qknorm_rope", "flash_attn", "o_ffn"), layer(QWEN3_4B, Phase.PREFILL, Map.of()));
    }

    @Test void flash_attention_is_a_stop_even_between_neighbours() {
        Deployment baseline = TinyModel.baseline(LLAMA_1B);
        List<NpuCall> calls = baseline.prefill().calls().filter(call -> List.of("rope_k", "flash_attn", "o_gemm", "add_attention").contains(call.name())).toList();
        Deployment side = baseline.withPhase(Phase.PREFILL, new dev.npuflow.plan.PhasePlan(List.of(), List.copyOf(calls), List.of()));
        SkillContext context = new SkillContext(Phase.PREFILL, TinyModel.traits(), new TreeMap<>(), TinyModel.placement(), List.of());
        assertEquals(List.of("rope_k", "flash_attn", "o_gemm_to_add_attention"),
                proposed(side, context).plan().prefill().calls().map(NpuCall::name).toList());
    }

    @Test void conservative_splits_where_upstream_does() {
        assertEquals(List.of("rms_gemms_rope", "flash_attn", "o_ffn"), layer(LLAMA_1B, Phase.PREFILL, CONSERVATIVE));
        assertEquals(List.of("rms_qkv_bias_rope", "flash_attn", "o_ffn_head", "down_add"), layer(QWEN25_05B, Phase.PREFILL, CONSERVATIVE));
        assertEquals(List.of("rms_qkv_bias_rope", "flash_attn", "o_res_norm", "gate_up", "silu_mul", "down_add"), layer(QWEN25_15B, Phase.PREFILL, CONSERVATIVE));
        assertEquals(List.of("rms_qkv_bias_rope", "flash_attn", "o_res_norm", "gate_gemm", "up_gemm", "silu_mul", "down_add"),
                layer(QWEN25_3B, Phase.PREFILL, CONSERVATIVE));
        assertEquals(List.of("rms_qkv_qknorm_rope_gemv", "o_gemv_ffn"), layer(QWEN3_06B, Phase.DECODE, CONSERVATIVE));
        assertEquals(List.of("rms_gemv_rope", "o_gemv", "gate_gemv", "up_gemv", "down_gemv"), layer(LLAMA_3B, Phase.DECODE, CONSERVATIVE));
    }

    @Test void names_the_pairs_that_upstream_builds_apart_and_no_others() {
        assertEquals(List.of("o_ffn joins what upstream builds apart for this shape, not known to build on silicon: silu_mul + down_gemm"),
                warnings(QWEN25_05B, Phase.PREFILL, Map.of()));
        assertTrue(warnings(QWEN3_4B, Phase.DECODE, Map.of()).getFirst().contains("o_gemv + add_attention"));
        assertEquals(List.of(), warnings(LLAMA_1B, Phase.PREFILL, Map.of()));
        assertEquals(List.of(), warnings(LLAMA_1B, Phase.DECODE, Map.of()));
        for (Phase phase : Phase.values()) {
            published().forEach(model -> assertEquals(List.of(), warnings(model, phase, CONSERVATIVE)));
        }
    }

    private static List<String> warnings(ModelShape model, Phase phase, Map<String, String> options) {
        SkillContext context = context(phase, options);
        Deployment baseline = TinyModel.baseline(model);
        return proposed(baseline, context).warnings();
    }
}
