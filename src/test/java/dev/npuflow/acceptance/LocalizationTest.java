package dev.npuflow.acceptance;

import static dev.npuflow.acceptance.FaultCase.inDecode;
import static dev.npuflow.acceptance.FaultCase.inPrefill;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Transfer;
import dev.npuflow.workflow.lens.Hypothesis;
import dev.npuflow.workflow.lens.Localization.Fault;
import dev.npuflow.workflow.lens.Localizer;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// One fault at a time on a trained model: the gate catches it, the lens says where and what it is.
class LocalizationTest {

    @TempDir static Path workspace;
    private static TinyKjv tiny;
    private static FaultBench bench;
    private static Deployment baseline;
    private static Deployment merged;

    @BeforeAll static void open() throws Exception {
        tiny = TinyKjv.open(workspace);
        bench = FaultBench.of(tiny, workspace.resolve("cache"));
        baseline = bench.baseline;
        merged = bench.after(Phase.DECODE, "opt-merge-multi-launch-kernels", "opt-buffer-object-reuse");
    }

    @AfterAll static void close() {
        tiny.close();
    }

    static Stream<FaultCase> faultyPlans() throws Exception {
        return Stream.of(
                FaultCase.of("a value of each call marked static", bench.after(baseline, Phase.DECODE, BadSkills.ropeTableMarkedStatic()),
                        inDecode(0, "q_roped", Hypothesis.STALE_STATIC, "rope_q")),
                FaultCase.of("static weights under one key for all layers", bench.after(baseline, Phase.DECODE, BadSkills.staticWeightsUnderOneKey()),
                        inDecode(1, "normed", Hypothesis.CROSS_LAYER_ALIAS, "rms_norm_attention_weight")),
                FaultCase.of("static weights under one key for all layers", merged.mapCalls(Phase.DECODE, call -> call.withBufferKey(BufferKey.SHARED)),
                        inDecode(1, "normed", Hypothesis.CROSS_LAYER_ALIAS, "rms_norm_attention_weight")),
                FaultCase.of("an input marked intermediate", bench.after(baseline, Phase.DECODE, BadSkills.inputMarkedIntermediate()),
                        inDecode(0, "o", Hypothesis.MISSING_INTERMEDIATE, "attention")),
                FaultCase.of("an input marked intermediate", merged.mapCalls(Phase.DECODE, call -> call.mapArguments(argument ->
                        argument.name().equals("x") ? argument.withTransfer(Transfer.INTERMEDIATE) : argument)),
                        inDecode(0, "normed", Hypothesis.MISSING_INTERMEDIATE, "x")),
                FaultCase.of("an intermediate read before it is written", PlanChange.swapped(merged, Phase.DECODE, "gate_gemv", "silu_mul"),
                        inDecode(0, "swiglu", Hypothesis.MISSING_INTERMEDIATE, "gate")),
                FaultCase.of("a launch left out", PlanChange.withoutLaunch(merged, Phase.DECODE, "up_gemv"),
                        inDecode(0, "swiglu", Hypothesis.MISSING_INTERMEDIATE, "up")),
                FaultCase.of("the weight of another layer", PlanChange.ofLayer0(baseline, Phase.DECODE, "down_proj"),
                        inDecode(1, "down", Hypothesis.LAYER_INDEXED_WEIGHT, "down_gemv_weight")),
                FaultCase.of("the weight of another layer", PlanChange.ofLayer0(merged, Phase.DECODE, "v_proj"),
                        inDecode(1, "v", Hypothesis.LAYER_INDEXED_WEIGHT, "v_gemv_weight")),
                FaultCase.of("a dropped residual", PlanChange.rebound(merged, Phase.DECODE, "rms_norm_ffn", "in", "o"),
                        inDecode(0, "normed_ffn", Hypothesis.DROPPED_RESIDUAL, "o")),
                FaultCase.of("a dropped residual", PlanChange.rebound(merged, Phase.DECODE, "add_ffn", "b", "down"),
                        inDecode(0, "output", Hypothesis.DROPPED_RESIDUAL, "down")),
                FaultCase.of("gate and up exchanged", PlanChange.rebound(PlanChange.rebound(merged, Phase.DECODE, "gate_gemv", "matrix", "up_gemv_weight"),
                        Phase.DECODE, "up_gemv", "matrix", "gate_gemv_weight"), inDecode(0, "gate", Hypothesis.SWAPPED_GATE_UP, "up_gemv_weight")),
                FaultCase.of("gate and up exchanged", PlanChange.rebound(PlanChange.rebound(merged, Phase.DECODE, "silu_mul", "gate", "up"), Phase.DECODE,
                        "silu_mul", "up", "gate"), inDecode(0, "swiglu", Hypothesis.SWAPPED_GATE_UP, "up")),
                FaultCase.of("heads first and positions first mixed up", PlanChange.steps(baseline, Phase.PREFILL, steps -> steps.stream()
                        .map(step -> step instanceof HostOp op && op.kind() == HostKind.PREFILL_ATTENTION
                                ? op.withOptions(new TreeMap<>(Map.of("layout", "seq_first"))) : step).toList()),
                        inPrefill(0, "attention", Hypothesis.LAYOUT, "")));
    }

    @ParameterizedTest @MethodSource("faultyPlans") void a_faulty_plan_is_caught_and_localized(FaultCase faulty) {
        bench.assertCaught(faulty);
    }

    static Stream<FaultCase> injectedFaults() {
        var config = tiny.model.config();
        return Stream.of(
                new FaultCase("interleaved RoPE", baseline, InjectedFault.interleavedRope(config.headDim()),
                        inDecode(0, "q_roped", Hypothesis.ROPE_CONVENTION, "")),
                new FaultCase("GQA head mapping", baseline, InjectedFault.groupedByModulo(config), inDecode(0, "attention", Hypothesis.GQA_MAPPING, "")),
                new FaultCase("KV position off by one", baseline, InjectedFault.appendedOneEarly(config),
                        inDecode(0, "attention", Hypothesis.KV_POSITION, "")),
                new FaultCase("a bare herd", baseline, InjectedFault.bareHerd("down_gemv", 2), inDecode(2, "down", Hypothesis.BARE_HERD, "")),
                new FaultCase("an output overwritten by the next layer's", baseline, InjectedFault.cachedViews(config),
                        inDecode(0, "attention", Hypothesis.OVERWRITTEN_OUTPUT, "")));
    }

    @ParameterizedTest @MethodSource("injectedFaults") void a_fault_of_host_or_kernel_is_caught_and_localized(FaultCase faulty) {
        bench.assertCaught(faulty);
    }

    @Test void a_fault_of_the_baseline_itself_is_localized_too(@TempDir Path fresh) {
        InjectedFault.Injection injection = InjectedFault.interleavedRope(tiny.model.config().headDim());
        Localizer localizer = new Localizer(tiny.model, (deployment, observer) -> tiny.target.open(deployment, injection.before(observer)), fresh);
        Fault fault = localizer.localize(baseline, tiny.prompts.gate().subList(0, 1), 2).fault().orElseThrow();
        assertEquals(Hypothesis.ROPE_CONVENTION, fault.hypothesis());
    }

    @Test void nothing_is_found_in_a_correct_plan() {
        bench.assertHealthy(merged);
        bench.assertHealthy(baseline);
    }

    @Test void a_fault_in_a_merged_elf_is_found_although_nothing_of_it_is_read_back() {
        Deployment plan = PlanChange.rebound(merged, Phase.DECODE, "rms_norm_ffn", "in", "o");
        Fault fault = bench.localize(plan, watcher -> watcher).fault().orElseThrow();
        assertTrue(fault.place().endsWith("/rms_norm_ffn"), fault.place());
        NpuCall call = plan.decode().calls().filter(candidate -> fault.place().startsWith(candidate.name() + "/")).findFirst().orElseThrow();
        assertTrue(call.launches().size() > 1 && call.arguments().stream().noneMatch(argument -> argument.name().equals("normed_ffn")
                && argument.readBack()));
    }
}
