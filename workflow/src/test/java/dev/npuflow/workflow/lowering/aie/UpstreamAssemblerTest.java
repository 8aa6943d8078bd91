package dev.npuflow.workflow.lowering.aie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.compiler.Compilation;
import dev.npuflow.npu.compiler.Compiler;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Argument;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Transfer;
import dev.npuflow.workflow.block.PreNorm;
import dev.npuflow.workflow.lowering.DeviceLowering;
import dev.npuflow.workflow.lowering.Lowering;
import dev.npuflow.workflow.lowering.PlanPlacement;
import dev.npuflow.workflow.model.Architecture;
import dev.npuflow.workflow.model.ConfigReader;
import dev.npuflow.workflow.model.ModelConfig;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Figures are those of docs/upstream.md, "The ELFs of llama32_1b" to "The ELFs of the other models" and "Placement".
class UpstreamAssemblerTest {

    private static final DeviceDescription NPU2 = Devices.load("npu2", List.of());

    static Deployment upstream(String model) {
        ModelConfig config = ConfigReader.read(Path.of("src/test/resources/configs", model)).config();
        return upstream(model, config, UpstreamForm.CURRENT);
    }

    private static Deployment upstream(String model, ModelConfig config, UpstreamForm form) {
        return UpstreamAssembler.assemble(DeviceLowering.of(NPU2).shapeOf(model, config), config.block(), config.architecture(), NPU2, form);
    }

    private static long layerCalls(Deployment deployment, Phase phase) {
        return deployment.phase(phase).layer().stream().filter(NpuCall.class::isInstance).count();
    }

    private static NpuCall call(Deployment deployment, Phase phase, String name) {
        return deployment.phase(phase).calls().filter(call -> call.name().equals(name)).findFirst().orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"llama32_1b, 3, 2", "smollm2_1_7b, 3, 2", "qwen25_0_5b, 4, 5", "qwen25_1_5b, 6, 5", "qwen25_3b, 7, 5", "qwen3_0_6b, 3, 2",
        "qwen3_1_7b, 3, 2", "qwen3_4b, 7, 5", "llama32_3b, 3, 5"})
    void calls_per_layer_are_those_of_upstreams_drivers(String model, int prefill, int decode) {
        Deployment deployment = upstream(model);
        assertEquals(prefill, layerCalls(deployment, Phase.PREFILL));
        assertEquals(decode, layerCalls(deployment, Phase.DECODE));
    }

    @ParameterizedTest
    @CsvSource({"llama32_1b, 33, 152, 2483027968", "smollm2_1_7b, 49, 224, 3758096384", "qwen3_0_6b, 57, 327, 1199570944",
            "qwen25_1_5b, 141, 383, 3098542080"})
    void calls_launches_and_weight_bytes_of_a_token_are_the_published_ones(String model, long calls, long launches, long bytes) {
        Deployment deployment = upstream(model);
        int layers = deployment.model().layers();
        assertEquals(calls, deployment.decode().callsPerPass(layers));
        long[] counted = new long[2];
        deployment.decode().mapCalls((call, inLayer) -> {
            counted[0] += (inLayer ? layers : 1L) * call.launches().size();
            counted[1] += (inLayer ? layers : 1L) * call.arguments().stream().filter(argument -> argument.shape().size() == 2 && !argument.name()
                    .equals("residual_and_norm"))
                    .mapToLong(Argument::bytes).sum();
            return call;
        });
        assertEquals(launches, counted[0]);
        assertEquals(bytes, counted[1]);
    }

    @Test void the_lm_head_is_llamas_whatever_the_vocabulary_and_qwens_by_the_vocabulary() {
        assertEquals(List.of(8, 8, 19), List.of("llama32_1b", "smollm2_1_7b", "qwen25_3b").stream()
                .map(model -> call(upstream(model), Phase.DECODE, "lm_head_gemv").launches().size()).toList());
        assertEquals(16384, call(upstream("smollm2_1_7b"), Phase.PREFILL, "lm_head_gemv").launches().getFirst().shape().get("m"));
        assertEquals(8192, call(upstream("qwen3_4b"), Phase.DECODE, "lm_head_gemv").launches().getFirst().shape().get("m"));
    }

    @ParameterizedTest
    @CsvSource({"llama32_1b, o_ffn, 4096", "qwen25_1_5b, swiglu, 5120", "qwen25_3b, swiglu, 4096", "qwen3_4b, swiglu, 4864"})
    void silu_tiles_are_those_that_place(String model, String call, int tile) {
        Launch silu = call(upstream(model), Phase.PREFILL, call).launches().stream().filter(launch -> launch.kernel().equals("silu_mul")).findFirst()
                .orElseThrow();
        assertEquals(tile, silu.tile().get("tile_n"));
    }

    /// Fused-cast has tiles of 64 rows, drain of 32.
    @Test void gemm_methods_and_steps_are_the_registrys() {
        assertEquals(List.of(64, 32, 32), tileRows("llama32_1b", "rms_gemms_rope"));
        assertEquals(List.of(64, 64, 64), tileRows("smollm2_1_7b", "rms_gemms_rope"));
        assertEquals(64, call(upstream("qwen3_4b"), Phase.PREFILL, "gate").launches().getFirst().tile().get("tile_k_l2"));
        assertEquals(32, gemms("qwen25_0_5b", "rms_qkv_bias_rope").get(1).tile().get("tile_n"));
    }

    /// No model of upstream's has a bias on O. It is a launch more behind O, and the three launches of decode, which have no place for it, are eight and one.
    @Test void a_bias_on_o_is_one_launch_more_in_both_phases_and_none_without_it() {
        ModelShape shape = new ModelShape("biased", 2, 512, 512, 8, 2, 64, 1024, true, true, false, 1e-5, 2048);
        assertEquals(List.of("gemv_add", "gemv_swiglu_rms", "gemv_add"), launches(shape, Phase.DECODE, "o_gemv_ffn"));
        assertEquals(List.of("gemv", "bias_add", "eltwise_add", "rms_norm", "gemv", "gemv", "silu_mul", "gemv", "eltwise_add"),
                launches(shape.withOutputBias(), Phase.DECODE, "o_gemv_ffn"));
        assertEquals(1 + launches(shape, Phase.PREFILL, "o_ffn").size(), launches(shape.withOutputBias(), Phase.PREFILL, "o_ffn").size());
        ModelShape apart = new ModelShape("apart", 2, 2560, 512, 8, 2, 64, 1024, true, true, false, 1e-5, 2048);
        assertEquals(List.of("gemv"), launches(apart, Phase.DECODE, "o_gemv"));
        assertEquals(List.of("gemv", "bias_add"), launches(apart.withOutputBias(), Phase.DECODE, "o_gemv"));
    }

    private static List<String> launches(ModelShape shape, Phase phase, String name) {
        Deployment plan = UpstreamAssembler.assemble(shape, PreNorm.of(shape), Architecture.LLAMA, NPU2, UpstreamForm.CURRENT);
        return call(plan, phase, name).launches().stream().map(Launch::kernel).toList();
    }

    private static List<Integer> tileRows(String model, String call) {
        return gemms(model, call).stream().map(launch -> launch.tile().get("tile_m")).toList();
    }

    private static List<Launch> gemms(String model, String call) {
        return call(upstream(model), Phase.PREFILL, call).launches().stream().filter(launch -> launch.kernel().startsWith("gemm")).toList();
    }

    @Test void the_plans_of_all_models_and_of_older_builds_place() {
        for (String model : List.of("llama32_1b", "llama32_3b", "qwen25_0_5b", "qwen25_1_5b", "qwen25_3b", "qwen3_0_6b", "qwen3_1_7b", "qwen3_4b", "smollm2_1_7b")) {
            ModelConfig config = ConfigReader.read(Path.of("src/test/resources/configs", model)).config();
            for (UpstreamForm form : List.of(UpstreamForm.CURRENT, new UpstreamForm(true, false), new UpstreamForm(false, true))) {
                Deployment plan = upstream(model, config, form);
                assertEquals(List.of(), PlanPlacement.blockers(plan, NPU2), model);
            }
        }
    }

    /// Qwen2.5-0.5B's 896 columns are padded to 1024: the memory behind them, too, but what is read of the result is not.
    @Test void the_plan_of_a_padded_width_binds_memory_of_that_width_and_builds() {
        for (NpuCall call : upstream("qwen25_0_5b").prefill().calls().toList()) {
            assertInstanceOf(Compilation.Built.class, Compiler.compile(Lowering.lower(call), Devices.load("npu2", List.of())), call.name());
        }
    }

    @Test void flash_attention_writes_even_its_output_and_decode_only_the_values_of_its_token() {
        assertEquals(20L << 20, written(call(upstream("llama32_1b"), Phase.PREFILL, "flash_attn")));
        assertEquals(2L * (2048 + 2048), written(call(upstream("llama32_1b"), Phase.DECODE, "o_gemv_ffn")));
        assertEquals(2L * (2048 + 2048 + 512), written(call(upstream("llama32_1b"), Phase.DECODE, "rms_gemv_rope")));
    }

    private static long written(NpuCall call) {
        return call.arguments().stream().filter(argument -> argument.transfer() == Transfer.EVERY_CALL).mapToLong(Argument::bytes).sum();
    }

    @Test void ping_pong_is_off_where_upstream_omits_it() {
        assertEquals(List.of(true, false, true), upstream("llama32_1b").decode().calls().map(call -> call.options().pingPong()).toList());
        assertTrue(upstream("qwen3_0_6b").decode().calls().allMatch(call -> call.options().pingPong() && call.options().loopTiling() == 1));
        assertEquals(false, call(upstream("qwen25_1_5b"), Phase.DECODE, "down_gemv").options().pingPong());
    }

    @Test void attention_stays_on_the_host_where_heads_are_too_narrow_and_odd_widths_are_refused() {
        ModelShape narrow = new ModelShape("narrow", 2, 192, 512, 6, 2, 32, 1024, true, false, false, 1e-5, 2048);
        Deployment plan = UpstreamAssembler.assemble(narrow, PreNorm.of(narrow), Architecture.LLAMA, NPU2, UpstreamForm.CURRENT);
        assertTrue(plan.prefill().layer().stream().anyMatch(step -> step.name().equals("prefill_attention")));
        ModelShape odd = new ModelShape("odd", 2, 100, 512, 5, 5, 20, 1024, true, false, false, 1e-5, 2048);
        assertTrue(assertThrows(NpuflowException.class, () -> UpstreamAssembler.assemble(odd, PreNorm.of(odd), Architecture.LLAMA, NPU2, UpstreamForm.CURRENT))
                .getMessage().contains("hidden_size (100)"));
    }
}
