package dev.npuflow.acceptance;

import static dev.npuflow.acceptance.FaultCase.inDecode;
import static dev.npuflow.acceptance.FaultCase.inPrefill;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.lens.Hypothesis;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Faults of what Qwen2, Qwen3 and models with `attention_bias` have beside Llama: biases of the projections, norms of the heads.
class FamilyFaultsTest {

    private static final String[] OPTIMIZED = {"opt-merge-multi-launch-kernels", "opt-buffer-object-reuse"};

    @TempDir static Path cache;
    private static FaultBench qwen2;
    private static FaultBench qwen3;
    private static FaultBench biased;

    @BeforeAll static void open() {
        qwen2 = FaultBench.of(FaultBench.shape("tiny_qwen2", 4, 2, 32, true, false), cache);
        qwen3 = FaultBench.of(FaultBench.shape("tiny_qwen3", 4, 2, 32, false, true), cache);
        biased = FaultBench.of(FaultBench.shape("tiny_biased_qwen3", 4, 2, 32, true, true).withOutputBias(), cache);
    }

    @AfterAll static void close() {
        qwen2.close();
        qwen3.close();
        biased.close();
    }

    static Stream<FaultCase> biases() throws Exception {
        Deployment merged = qwen2.after(Phase.DECODE, OPTIMIZED);
        Deployment baseline = qwen2.baseline;
        return Stream.of(
                FaultCase.of("the bias of another layer", PlanChange.ofLayer0(merged, Phase.DECODE, "q_proj.bias"),
                        inDecode(1, "q_biased", Hypothesis.LAYER_INDEXED_WEIGHT, "q_bias_weight")),
                FaultCase.of("the bias of another layer", PlanChange.ofLayer0(baseline, Phase.PREFILL, "v_proj.bias"),
                        inPrefill(1, "v", Hypothesis.LAYER_INDEXED_WEIGHT, "v_bias_weight")),
                FaultCase.of("biases of K and V exchanged", PlanChange.exchanged(merged, Phase.DECODE, "k_proj.bias", "v_proj.bias"),
                        inDecode(0, "k_biased", Hypothesis.WRONG_WEIGHT, "k_bias_weight")),
                FaultCase.of("biases of K and V exchanged", PlanChange.exchanged(baseline, Phase.PREFILL, "k_proj.bias", "v_proj.bias"),
                        inPrefill(0, "k_biased", Hypothesis.WRONG_WEIGHT, "k_bias_weight")),
                FaultCase.of("a bias left out", PlanChange.rebound(merged, Phase.DECODE, "rope_q", "in", "q"),
                        inDecode(0, "q_roped", Hypothesis.DROPPED_BIAS, "q")),
                FaultCase.of("a bias left out", PlanChange.value(baseline, Phase.PREFILL, "rope_q", "q_biased", "q"),
                        inPrefill(0, "q_roped", Hypothesis.DROPPED_BIAS, "q_biased")),
                FaultCase.of("a bias left out", PlanChange.reads(baseline, Phase.PREFILL, "transpose_v", "in", "v_unbiased"),
                        inPrefill(0, "attention", Hypothesis.DROPPED_BIAS, "")),
                FaultCase.of("a bias left out", PlanChange.value(PlanChange.withoutStep(baseline, Phase.DECODE, "v_bias"), Phase.DECODE, "v_gemv",
                        "v_unbiased", "v"), inDecode(0, "v", Hypothesis.DROPPED_BIAS, "")));
    }

    @ParameterizedTest @MethodSource("biases") void a_wrong_bias_is_caught_and_localized(FaultCase faulty) {
        qwen2.assertCaught(faulty);
    }

    static Stream<FaultCase> headNorms() throws Exception {
        Deployment merged = qwen3.after(Phase.DECODE, OPTIMIZED);
        Deployment baseline = qwen3.baseline;
        return Stream.of(
                FaultCase.of("the QK-norm of another layer", PlanChange.ofLayer0(merged, Phase.DECODE, "q_norm"),
                        inDecode(1, "q_normed", Hypothesis.LAYER_INDEXED_WEIGHT, "q_norm_weight")),
                FaultCase.of("the QK-norm of another layer", PlanChange.ofLayer0(baseline, Phase.PREFILL, "k_norm"),
                        inPrefill(1, "k_normed", Hypothesis.LAYER_INDEXED_WEIGHT, "k_norm_weight")),
                FaultCase.of("norms of Q and K exchanged", PlanChange.exchanged(merged, Phase.DECODE, "q_norm", "k_norm"),
                        inDecode(0, "q_normed", Hypothesis.WRONG_WEIGHT, "q_norm_weight")),
                FaultCase.of("norms of Q and K exchanged", PlanChange.exchanged(baseline, Phase.PREFILL, "q_norm", "k_norm"),
                        inPrefill(0, "q_normed", Hypothesis.WRONG_WEIGHT, "q_norm_weight")),
                FaultCase.of("a QK-norm left out", PlanChange.rebound(merged, Phase.DECODE, "rope_k", "in", "k"),
                        inDecode(0, "k_roped", Hypothesis.WRONG_OPERAND, "k")));
    }

    @ParameterizedTest @MethodSource("headNorms") void a_wrong_norm_of_heads_is_caught_and_localized(FaultCase faulty) {
        qwen3.assertCaught(faulty);
    }

    static Stream<FaultCase> outputBiases() throws Exception {
        Deployment merged = biased.after(Phase.DECODE, OPTIMIZED);
        return Stream.of(
                FaultCase.of("the bias of another layer", PlanChange.ofLayer0(merged, Phase.DECODE, "o_proj.bias"),
                        inDecode(1, "o", Hypothesis.LAYER_INDEXED_WEIGHT, "o_bias_weight")),
                FaultCase.of("a bias left out", PlanChange.value(biased.baseline, Phase.DECODE, "add_attention", "o", "o_unbiased"),
                        inDecode(0, "residual", Hypothesis.DROPPED_BIAS, "o")),
                FaultCase.of("norms of Q and K exchanged", PlanChange.exchanged(merged, Phase.DECODE, "q_norm", "k_norm"),
                        inDecode(0, "q_normed", Hypothesis.WRONG_WEIGHT, "q_norm_weight")));
    }

    @ParameterizedTest @MethodSource("outputBiases") void a_fault_beside_a_bias_of_all_four_projections_is_caught_and_localized(FaultCase faulty) {
        biased.assertCaught(faulty);
    }

    @Test void a_right_bias_of_all_four_projections_is_judged_and_nothing_is_found() throws Exception {
        biased.assertHealthy(biased.baseline);
        biased.assertHealthy(biased.after(Phase.DECODE, OPTIMIZED));
    }

    @Test void right_biases_are_judged_and_nothing_is_found() throws Exception {
        qwen2.assertHealthy(qwen2.baseline);
        qwen2.assertHealthy(qwen2.after(Phase.DECODE, OPTIMIZED));
    }

    @Test void right_norms_of_heads_are_judged_and_nothing_is_found() throws Exception {
        qwen3.assertHealthy(qwen3.baseline);
        qwen3.assertHealthy(qwen3.after(Phase.DECODE, OPTIMIZED));
    }

    /// A group of 3 heads of 32 and a vocabulary of 101: the NPU has 4 heads, a feed-forward of 128 and 128 logits.
    @Test void widths_that_the_npu_pads_are_judged_too() {
        ModelShape odd = new ModelShape("tiny_odd", 2, 64, 100, 3, 1, 32, 101, false, true, false, 1e-5, 2048);
        try (FaultBench bench = FaultBench.of(odd, cache)) {
            bench.assertHealthy(bench.baseline);
            bench.assertCaught(FaultCase.of("the bias of another layer", PlanChange.ofLayer0(bench.baseline, Phase.DECODE, "q_proj.bias"),
                    inDecode(1, "q_biased", Hypothesis.LAYER_INDEXED_WEIGHT, "q_bias_weight")));
            bench.assertCaught(FaultCase.of("another value on a port", PlanChange.value(bench.baseline, Phase.DECODE, "lm_head_0", "x_final", "residual"),
                    inDecode(-1, "logits", Hypothesis.WRONG_OPERAND, "x_final")));
        }
    }
}
