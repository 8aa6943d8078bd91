package dev.npuflow.acceptance;

import static dev.npuflow.acceptance.FaultCase.inPrefill;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.lens.Hypothesis;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Faults of prefill attention on the NPU: heads of 64 positions first, heads of 128 heads first, two query heads a key/value head.
class FlashAttentionFaultsTest {

    private static final String FLAG = "head_first";

    @TempDir static Path cache;
    private static FaultBench heads64;
    private static FaultBench heads128;
    private static Deployment seqFirst;

    @BeforeAll static void open() throws Exception {
        heads64 = FaultBench.of(FaultBench.shape("tiny_64", 4, 2, 64, false, false), cache);
        heads128 = FaultBench.of(FaultBench.shape("tiny_128", 4, 2, 128, false, false), cache);
        seqFirst = heads64.after(Phase.PREFILL, "opt-layout-alignment");
    }

    @AfterAll static void close() {
        heads64.close();
        heads128.close();
    }

    static Stream<FaultCase> positionsFirst() {
        return Stream.of(
                new FaultCase("GQA head mapping", seqFirst, InjectedFault.flashAttentionByModulo(heads64.model.config()),
                        inPrefill(0, "attention", Hypothesis.GQA_MAPPING, "")),
                FaultCase.of("K and V exchanged", exchangedKeyAndValue(seqFirst, "k_roped", "v"),
                        inPrefill(0, "attention", Hypothesis.WRONG_OPERAND, "v")),
                FaultCase.of("heads first and positions first mixed up", withFlag(seqFirst, true),
                        inPrefill(0, "attention", Hypothesis.LAYOUT, "k_roped")),
                FaultCase.of("heads first and positions first mixed up", withFlag(heads64.baseline, false),
                        inPrefill(0, "attention", Hypothesis.LAYOUT, "k_head_first")),
                new FaultCase("an output overwritten by the next layer's", seqFirst, InjectedFault.ofLayer0("k_roped"),
                        inPrefill(1, "k_roped", Hypothesis.OVERWRITTEN_OUTPUT, "")));
    }

    @ParameterizedTest @MethodSource("positionsFirst") void a_fault_with_positions_first_is_caught_and_localized(FaultCase faulty) {
        heads64.assertCaught(faulty);
    }

    static Stream<FaultCase> headsFirst() {
        Deployment baseline = heads128.baseline;
        return Stream.of(
                new FaultCase("GQA head mapping", baseline, InjectedFault.flashAttentionByModulo(heads128.model.config()),
                        inPrefill(0, "attention", Hypothesis.GQA_MAPPING, "")),
                FaultCase.of("K and V exchanged", exchangedKeyAndValue(baseline, "k_head_first", "v_head_first"),
                        inPrefill(0, "attention", Hypothesis.WRONG_OPERAND, "v_head_first")),
                FaultCase.of("heads first and positions first mixed up",
                        PlanChange.value(baseline, Phase.PREFILL, "flash_attn", "q_head_first", "q_roped"),
                        inPrefill(0, "attention", Hypothesis.LAYOUT, "q_head_first")),
                FaultCase.of("heads first and positions first mixed up",
                        PlanChange.value(baseline, Phase.PREFILL, "o_gemm", "attention", "attention_head_first"),
                        inPrefill(0, "o", Hypothesis.LAYOUT, "attention")),
                FaultCase.of("heads first and positions first mixed up",
                        PlanChange.reads(baseline, Phase.PREFILL, "kv_cache_extract", "value", "v_head_first"),
                        inPrefill(0, "v", Hypothesis.LAYOUT, "")),
                new FaultCase("an output overwritten by the next layer's", baseline, InjectedFault.ofLayer0("k_head_first"),
                        inPrefill(1, "attention", Hypothesis.OVERWRITTEN_OUTPUT, "k_head_first")));
    }

    @ParameterizedTest @MethodSource("headsFirst") void a_fault_with_heads_first_is_caught_and_localized(FaultCase faulty) {
        heads128.assertCaught(faulty);
    }

    @Test void wide_heads_with_positions_first_are_refused_before_they_hang() {
        Deployment plan = withFlag(heads128.baseline, false);
        NpuflowException refusal = assertThrows(NpuflowException.class, () -> heads128.localize(plan, watcher -> watcher));
        assertEquals("NPF-240", refusal.id());
        assertTrue(refusal.getMessage().contains("seq-first needs dv_chunks == 1"), refusal.getMessage());
    }

    @Test void nothing_is_found_in_right_attention_of_either_layout() {
        assertEquals(List.of(64, 64), List.of(flashAttention(seqFirst).tile().get("lkp"), flashAttention(heads128.baseline).tile().get("lkp")));
        assertEquals(List.of(false, true, true), Stream.of(seqFirst, heads64.baseline, heads128.baseline)
                .map(plan -> flashAttention(plan).shape().containsKey(FLAG)).toList());
        heads64.assertHealthy(heads64.baseline);
        heads64.assertHealthy(seqFirst);
        heads128.assertHealthy(heads128.baseline);
    }

    private static Deployment exchangedKeyAndValue(Deployment plan, String key, String value) {
        return PlanChange.rebound(PlanChange.rebound(plan, Phase.PREFILL, "flash_attn", "key", value), Phase.PREFILL, "flash_attn", "value", key);
    }

    private static Launch flashAttention(Deployment plan) {
        return plan.prefill().calls().filter(call -> call.name().equals("flash_attn")).findFirst().orElseThrow().launches().getFirst();
    }

    private static Deployment withFlag(Deployment plan, boolean headFirst) {
        return plan.mapCalls(Phase.PREFILL, call -> call.name().equals("flash_attn") ? withFlag(call, headFirst) : call);
    }

    private static NpuCall withFlag(NpuCall call, boolean headFirst) {
        Launch launch = call.launches().getFirst();
        SortedMap<String, Integer> shape = new TreeMap<>(launch.shape());
        shape.remove(FLAG);
        if (headFirst) {
            shape.put(FLAG, 1);
        }
        return call.withLaunches(List.of(new Launch(launch.name(), launch.kernel(), launch.symbol(), shape, launch.constants(), launch.herd(),
                launch.tile(), launch.inputs(), launch.outputs())));
    }
}
