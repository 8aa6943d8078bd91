package dev.npuflow.workflow.lowering.aie;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Argument;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.PlanWarning;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Step;
import dev.npuflow.plan.Transfer;
import dev.npuflow.plan.ValueFlow;
import dev.npuflow.workflow.block.PreNorm;
import dev.npuflow.workflow.lowering.CompilerPlacement;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

public class BaselineAssemblerTest {

    public static final ModelShape TINY = new ModelShape("tiny_kjv", 4, 192, 512, 6, 2, 32, 1024, true, false, false, 1e-5, 2048);
    public static final ModelShape LLAMA = new ModelShape("llama32_1b", 16, 2048, 8192, 32, 8, 64, 128256, true, false, false, 1e-5, 2048);

    // Shapes of published config.json files: SmolLM2-135M, TinyLlama-1.1B, Mistral-7B-v0.3.
    private static final List<ModelShape> PUBLISHED = List.of(
            new ModelShape("smollm2_135m", 30, 576, 1536, 9, 3, 64, 49152, true, false, false, 1e-5, 2048),
            new ModelShape("tinyllama_1b", 22, 2048, 5632, 32, 4, 64, 32000, false, false, false, 1e-5, 2048),
            new ModelShape("mistral_7b", 32, 4096, 14336, 32, 8, 128, 32768, false, false, false, 1e-5, 2048));

    private static Deployment baseline(ModelShape model) {
        return BaselineAssembler.assemble(model, PreNorm.of(model), Devices.load("npu2", List.of()), new PublishedLimits());
    }

    @Test void one_kernel_an_elf_and_everything_written_and_read_back() {
        for (ModelShape model : List.of(TINY, LLAMA)) {
            for (Phase phase : Phase.values()) {
                baseline(model).phase(phase).calls().forEach(call -> {
                    assertEquals(1, call.launches().size(), call.name());
                    assertEquals(BufferKey.SHARED, call.bufferKey());
                    assertTrue(call.arguments().stream().allMatch(argument -> argument.transfer() == Transfer.EVERY_CALL));
                    assertEquals(1, call.arguments().stream().filter(Argument::readBack).count());
                });
            }
        }
    }

    @Test void both_models_in_scope_compile_for_the_shipped_device() {
        CompilerPlacement npu2 = new CompilerPlacement(Devices.load("npu2", List.of()));
        for (ModelShape model : List.of(TINY, LLAMA)) {
            Deployment plan = BaselineAssembler.assemble(model, PreNorm.of(model), Devices.load("npu2", List.of()), npu2);
            Stream.concat(plan.prefill().calls(), plan.decode().calls()).forEach(call -> assertEquals(List.of(), npu2.check(call)));
            assertEquals(baseline(model).decode(), plan.decode());
        }
    }

    @Test void other_shapes_get_legal_tiles_too() {
        CompilerPlacement npu2 = new CompilerPlacement(Devices.load("npu2", List.of()));
        for (ModelShape model : PUBLISHED) {
            Deployment plan = BaselineAssembler.assemble(model, PreNorm.of(model), Devices.load("npu2", List.of()), npu2);
            Stream.concat(plan.prefill().calls(), plan.decode().calls()).forEach(call -> assertEquals(List.of(), npu2.check(call)));
            long rows = plan.decode().epilogue().stream().filter(NpuCall.class::isInstance).map(NpuCall.class::cast)
                    .mapToLong(call -> call.launches().getFirst().shape().get("m")).sum();
            assertEquals(model.vocabSize(), rows);
        }
    }

    @Test void partly_rotated_heads_have_short_table_rows() {
        ModelShape partial = new ModelShape("partial", 4, 192, 512, 6, 2, 32, 1024, true, false, false, 1e-5, 2048, 16);
        NpuCall rope = baseline(partial).decode().calls().filter(call -> call.name().equals("rope_q")).findFirst().orElseThrow();
        assertEquals(16, rope.launches().getFirst().shape().get("rotary_dim"));
        assertEquals(List.of(6 * 16), rope.argument("rope_q").shape());
        assertEquals(List.of(6 * 32), rope.argument("q_roped").shape());
    }

    @Test void a_device_of_four_columns_gets_herds_of_four() {
        Deployment plan = BaselineAssembler.assemble(LLAMA, PreNorm.of(LLAMA), Devices.load("npu1", List.of()), new CompilerPlacement(Devices.load("npu1", List.of())));
        assertTrue(plan.decode().calls().flatMap(call -> call.launches().stream()).allMatch(launch -> launch.herd().columns() <= 4));
    }

    @Test void fourteen_calls_a_layer_and_the_head_in_parts() {
        assertEquals(4 * 14 + 1, baseline(TINY).decode().callsPerPass(4));
        assertEquals(16 * 14 + 2, baseline(LLAMA).decode().callsPerPass(16));
    }

    /// Rounded twice, as the biases of Q, K and V are on the NPU; the reference rounds once.
    @Test void a_bias_on_o_is_one_call_more_between_o_and_the_addition() {
        for (Phase phase : Phase.values()) {
            List<String> plain = baseline(TINY).phase(phase).calls().map(NpuCall::name).toList();
            List<NpuCall> biased = baseline(TINY.withOutputBias()).phase(phase).calls().toList();
            List<String> names = biased.stream().map(NpuCall::name).toList();
            assertEquals(plain, names.stream().filter(name -> !name.equals("o_bias")).toList());
            int bias = names.indexOf("o_bias");
            assertEquals(names.indexOf("add_attention") - 1, bias);
            assertEquals(Set.of("o_unbiased"), ValueFlow.of(biased.get(bias - 1)).writes());
            assertEquals(Set.of("o_unbiased"), ValueFlow.of(biased.get(bias)).reads());
            assertEquals(Set.of("o"), ValueFlow.of(biased.get(bias)).writes());
            assertEquals(new Source.Weight("model.layers.{layer}.self_attn.o_proj.bias", 0, 1), biased.get(bias).argument("o_bias_weight").source());
        }
    }

    @Test void the_parts_of_the_head_cover_exactly_the_vocabulary() {
        List<Source.Weight> parts = baseline(LLAMA).decode().epilogue().stream().filter(NpuCall.class::isInstance).map(NpuCall.class::cast)
                .map(call -> (Source.Weight) call.arguments().getFirst().source()).toList();
        assertEquals(List.of(new Source.Weight("lm_head.weight", 0, 65536), new Source.Weight("lm_head.weight", 65536, 62720)), parts);
    }

    @Test void every_value_is_there_before_it_is_read() {
        for (ModelShape model : List.of(TINY, LLAMA)) {
            assertClosed(baseline(model).prefill(), "prompt");
            assertClosed(baseline(model).decode(), "token");
        }
    }

    private static void assertClosed(PhasePlan plan, String input) {
        Set<String> known = new HashSet<>(Set.of(input));
        Stream.of(plan.prologue(), plan.layer(), plan.layer(), plan.epilogue()).flatMap(List::stream).forEach(step -> {
            ValueFlow flow = ValueFlow.of(step);
            List<String> missing = flow.reads().stream().filter(value -> !known.contains(value) && !value.startsWith("model.")).toList();
            assertEquals(List.of(), missing, step.name());
            known.addAll(flow.writes());
        });
        assertTrue(known.contains("token"));
    }

    @Test void prefill_transposes_around_its_attention_and_decode_does_not() {
        assertEquals(4, transposes(baseline(TINY).prefill()));
        assertEquals(0, transposes(baseline(TINY).decode()));
    }

    @Test void prefill_attends_on_the_npu_where_a_tile_is_legal_and_on_the_host_where_none_is() {
        CompilerPlacement npu2 = new CompilerPlacement(Devices.load("npu2", List.of()));
        List<String> llama = names(BaselineAssembler.assemble(LLAMA, PreNorm.of(LLAMA), Devices.load("npu2", List.of()), npu2).prefill());
        assertTrue(llama.containsAll(List.of("kv_cache_extract", "flash_attn")) && !llama.contains("prefill_attention"), llama.toString());
        List<String> heads32 = names(BaselineAssembler.assemble(TINY, PreNorm.of(TINY), Devices.load("npu2", List.of()), npu2).prefill());
        assertTrue(heads32.contains("prefill_attention") && !heads32.contains("kv_cache_extract"), heads32.toString());
        assertTrue(!names(BaselineAssembler.assemble(LLAMA, PreNorm.of(LLAMA), Devices.load("npu2", List.of()), npu2).decode()).contains("flash_attn"));
    }

    private static List<String> names(PhasePlan plan) {
        return plan.layer().stream().map(Step::name).toList();
    }

    private static long transposes(PhasePlan plan) {
        return plan.steps().filter(step -> step instanceof HostOp op && op.name().startsWith("transpose")).count();
    }

    @Test void prefill_launches_are_built_for_padded_positions() {
        for (Step step : baseline(LLAMA).prefill().layer()) {
            if (step instanceof NpuCall call) {
                assertEquals(2048, call.launches().getFirst().shape().get("positions"), call.name());
                assertTrue(call.arguments().getLast().shape().contains(2048));
            }
        }
    }

    @Test void the_same_model_gives_the_same_hash_and_another_one_does_not() {
        assertEquals(baseline(TINY).hash(), baseline(TINY).hash());
        assertTrue(!baseline(TINY).hash().equals(baseline(LLAMA).hash()));
    }

    @Test void a_baseline_has_no_warning() {
        assertEquals(List.of(), PlanWarning.of(baseline(LLAMA)));
    }
}
