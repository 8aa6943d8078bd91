package dev.npuflow.acceptance;

import static dev.npuflow.acceptance.FaultCase.inDecode;
import static dev.npuflow.acceptance.FaultCase.inDecodeStep;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.plan.Argument;
import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.DataType;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Operand;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.Source;
import dev.npuflow.plan.Transfer;
import dev.npuflow.workflow.gate.Verdict;
import dev.npuflow.workflow.lens.Hypothesis;
import dev.npuflow.workflow.lowering.DeploymentRun;
import dev.npuflow.workflow.measurement.Profile;
import dev.npuflow.workflow.model.Prompt;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What goes wrong with buffer objects that outlive a call (docs/upstream.md, "Faults of buffer objects").
class BufferObjectFaultsTest {

    private static final String[] OPTIMIZED = {"opt-merge-multi-launch-kernels", "opt-buffer-object-reuse"};

    @TempDir static Path cache;
    private static FaultBench small;
    private static FaultBench wide;
    private static Deployment merged;
    private static Deployment fused;

    @BeforeAll static void open() throws Exception {
        small = FaultBench.of(FaultBench.shape("tiny_llama", 4, 2, 32, false, false), cache);
        merged = small.after(Phase.DECODE, OPTIMIZED);
        wide = FaultBench.of(new ModelShape("tiny_512", 2, 512, 512, 16, 4, 32, 128, false, false, false, 1e-5, 2048), cache);
        fused = wide.after(wide.after(Phase.DECODE, OPTIMIZED), Phase.DECODE, "opt-fuse-decode-ffn");
    }

    @AfterAll static void close() {
        small.close();
        wide.close();
    }

    @Test void a_weight_missing_from_the_static_set_is_right_and_slower_and_localize_is_silent() {
        Deployment plan = merged.mapCalls(Phase.DECODE, call -> call.mapArguments(argument ->
                argument.name().equals("down_gemv_weight") ? argument.withTransfer(Transfer.EVERY_CALL) : argument));
        small.assertHealthy(plan);
        Profile kept = profile(merged);
        Profile written = profile(plan);
        assertEquals(kept.generated(), written.generated());
        assertTrue(written.millisecondsPerToken().orElseThrow() > kept.millisecondsPerToken().orElseThrow());
        FaultsDocument.assertCell("a weight missing from the static set", "nothing: it is right and slower; `npuflow profile` counts the bytes written");
    }

    private static Profile profile(Deployment plan) {
        return small.target.profile(plan, Prompt.ofIds(new int[] {3, 10, 5}), 4, true);
    }

    @Test void weights_that_change_under_one_key_stay_the_old_ones() {
        assertFirstWriteFound("weights changed under the same key", name -> name.endsWith("self_attn.q_proj.weight"),
                inDecode(0, "q", Hypothesis.FIRST_WRITE, "q_gemv_weight"));
    }

    @Test void a_host_array_overwritten_before_the_first_call_of_a_key_is_found_in_that_key_s_layer() {
        assertFirstWriteFound("a host array freed before its key's first call", name -> name.equals("model.layers.1.mlp.down_proj.weight"),
                inDecode(1, "down", Hypothesis.FIRST_WRITE, "down_gemv_weight"));
    }

    private static void assertFirstWriteFound(String fault, Predicate<String> wrong, FaultCase.Found found) {
        assertEquals(Verdict.GATE_FAIL, small.verdict(FirstWrites.of(small.model, wrong), merged, watcher -> watcher));
        assertEquals(Optional.of(found), small.localize(FirstWrites.of(small.model, wrong), merged, watcher -> watcher).fault()
                .map(FaultCase.Found::of));
        FaultsDocument.assertListed(fault, found);
    }

    @Test void weights_that_are_written_in_every_call_may_change() {
        Deployment written = small.baseline;
        assertEquals(Verdict.PASS, small.verdict(FirstWrites.of(small.model, name -> name.endsWith("self_attn.q_proj.weight")), written,
                watcher -> watcher));
    }

    static Stream<FaultCase> accumulators() {
        return Stream.of(
                FaultCase.of("an intermediate that accumulates", summed(new Source.Scratch()),
                        inDecodeStep(2, 0, "output", Hypothesis.ACCUMULATOR, "sum")),
                FaultCase.of("an intermediate that accumulates", summed(new Source.Activation("down")),
                        inDecodeStep(2, 0, "down", Hypothesis.ACCUMULATOR, "sum")));
    }

    @ParameterizedTest @MethodSource("accumulators") void an_accumulator_is_caught_and_localized_in_the_second_call(FaultCase faulty) {
        small.assertCaught(faulty);
    }

    @Test void an_accumulator_that_the_host_clears_in_every_call_is_right() {
        Deployment cleared = summed(new Source.Scratch()).mapCalls(Phase.DECODE, call -> call.mapArguments(argument ->
                argument.name().equals("sum") ? argument.withTransfer(Transfer.EVERY_CALL) : argument));
        assertEquals(Verdict.PASS, small.verdict(cleared, watcher -> watcher));
        assertEquals(Optional.empty(), small.localize(cleared, watcher -> watcher).fault());
    }

    /// As a K-split would: Down is added to a sum, and the residual takes that.
    private static Deployment summed(Source source) {
        return merged.mapCalls(Phase.DECODE, call -> call.launches().stream().anyMatch(launch -> launch.name().equals("down_gemv")) ? summed(call, source)
                : call);
    }

    private static NpuCall summed(NpuCall call, Source source) {
        Argument down = call.argument("down");
        Argument sum = new Argument("sum", down.shape(), DataType.BF16, source, Transfer.INTERMEDIATE, false);
        List<Argument> arguments = new ArrayList<>(call.arguments());
        arguments.add(sum);
        List<Launch> launches = new ArrayList<>();
        for (Launch launch : call.launches()) {
            if (launch.name().equals("add_ffn")) {
                launches.add(launch.withName("accumulate").withOperands(new TreeMap<>(Map.of("a", Operand.whole(down), "b",
                        Operand.whole(sum))), new TreeMap<>(Map.of("out", Operand.whole(sum)))));
                TreeMap<String, Operand> inputs = new TreeMap<>(launch.inputs());
                inputs.replaceAll((_, operand) -> operand.argument().equals("down") ? Operand.whole(sum) : operand);
                launches.add(launch.withOperands(inputs, launch.outputs()));
            } else {
                launches.add(launch);
            }
        }
        return new NpuCall(call.name(), launches, arguments, call.bufferKey(), call.options());
    }

    @Test void what_is_read_back_is_a_copy_that_the_next_layer_does_not_overwrite() {
        List<short[]> handedOver = new ArrayList<>();
        List<short[]> copies = new ArrayList<>();
        try (DeploymentRun run = small.target.open(small.baseline, (time, values) -> {
            if (time.name().equals("rope_k")) {
                handedOver.add(values.get("k_roped"));
                copies.add(values.get("k_roped").clone());
            }
        })) {
            run.preload();
            run.prefill(new int[] {3, 10, 5});
        }
        assertEquals(2, handedOver.size());
        assertArrayEquals(copies.getFirst(), handedOver.getFirst());
        assertTrue(!Arrays.equals(copies.getFirst(), copies.getLast()));
    }

    static Stream<FaultCase> fusedPlans() {
        return Stream.of(
                FaultCase.of("a packed argument that the NPU writes in part, launches in another order",
                        PlanChange.swapped(fused, Phase.DECODE, "o_gemv_add", "gate_up_swiglu"),
                        inDecode(0, "swiglu", Hypothesis.MISSING_INTERMEDIATE, "residual_and_norm")),
                FaultCase.of("static weights under one key for all layers", fused.mapCalls(Phase.DECODE, call -> call.name().equals("o_gemv_ffn")
                        ? call.withBufferKey(BufferKey.SHARED) : call), inDecode(1, "residual", Hypothesis.CROSS_LAYER_ALIAS, "o_weight")),
                FaultCase.of("gate and up exchanged", fused.mapCalls(Phase.DECODE, call -> call.mapArguments(argument ->
                        argument.source() instanceof Source.InterleavedWeights(List<Source.Weight> weights)
                                ? PlanChange.withSource(argument, new Source.InterleavedWeights(weights.reversed())) : argument)),
                        inDecode(0, "swiglu", Hypothesis.SWAPPED_GATE_UP, "gate_up_weight")),
                FaultCase.of("the weight of another layer", PlanChange.ofLayer0(fused, Phase.DECODE, "down_proj"),
                        inDecode(1, "output", Hypothesis.LAYER_INDEXED_WEIGHT, "down_weight")),
                FaultCase.of("an intermediate read before it is written", PlanChange.rebound(fused, Phase.DECODE, "o_gemv_add", "addend", "x_out"),
                        inDecode(0, "residual", Hypothesis.MISSING_INTERMEDIATE, "x_out")));
    }

    @ParameterizedTest @MethodSource("fusedPlans") void a_fault_in_a_fused_elf_is_caught_and_localized(FaultCase faulty) {
        wide.assertCaught(faulty);
    }

    @Test void nothing_is_found_in_right_plans() {
        small.assertHealthy(merged);
        wide.assertHealthy(fused);
    }
}
