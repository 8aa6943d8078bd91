package dev.npuflow.workflow.lowering;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Step;
import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.ModelConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/// The plan to start from, correct and slow: one kernel an ELF, every argument written on every call, every output read back.
///
///     prologue   embed → x;  rope_q, rope_k tables
///     layer      x → normed → q, k, v (+ bias if any; Qwen3: q, k normed by head) → q_roped, k_roped → (host attention) → attention → o (+ bias if any);  o + x → residual
///                residual → normed_ffn → gate, up → swiglu → down;  down + residual → x
///     epilogue   x (prefill: its last real row) → x_final → logits_0, logits_1 … → token
///
/// Prefill attends on the NPU where FlashAttention has a legal tile, and the host copies keys and values into the KV cache; else the host does both. Either way
/// heads come first, with host transposes around.
public final class BaselineAssembler {

    /// Positions that prefill is padded to, upstream's `max_seq` (reference document §B.1).
    public static final int PADDED_PREFILL = 2048;

    private static final String LAYER = "model.layers.{layer}.";
    private static final String SELF = LAYER + "self_attn.";

    private final ModelShape model;
    private final TileChooser tiles;

    private BaselineAssembler(ModelShape model, TileChooser tiles) {
        this.model = model;
        this.tiles = tiles;
    }

    /// What a plan depends on of an opened model. Odd widths are those that the NPU pads to ([DeploymentRun] pads the weights alike).
    public static ModelShape shapeOf(LanguageModel model) {
        return shapeOf(model.name(), model.config());
    }

    /// The same of a configuration alone.
    public static ModelShape shapeOf(String name, ModelConfig real) {
        ModelConfig config = PaddedModel.padded(real);
        return new ModelShape(name, config.layers(), config.hiddenSize(), config.intermediateSize(), config.heads(),
                config.keyValueHeads(), config.headDim(), config.vocabSize(), config.tiedHead(), config.queryKeyValueBias(),
                config.queryKeyNorm(), decimal(config.rmsNormEpsilon()), PADDED_PREFILL, config.rope().rotaryDim(),
                config.outputBias());
    }

    /// The number as config.json writes it: 1.0E-5, not the double nearest to its fp32.
    private static double decimal(float value) {
        return Double.parseDouble(Float.toString(value));
    }

    /// @param device name of the device that `placement` asks
    /// @throws NpuflowException NPF-201 where nothing places
    public static Deployment assemble(ModelShape model, String device, TilePlacement placement) {
        BaselineAssembler assembler = new BaselineAssembler(model, new TileChooser(placement));
        return new Deployment(model, device, assembler.phase(Phase.PREFILL), assembler.phase(Phase.DECODE));
    }

    private PhasePlan phase(Phase phase) {
        BaselineCalls npu = new BaselineCalls(model, phase, tiles);
        HostSteps host = new HostSteps(model, phase);
        List<Step> layer = new ArrayList<>(attentionInput(npu));
        layer.addAll(attention(phase, npu, host));
        layer.addAll(attentionOutputAndFeedForward(npu));
        return new PhasePlan(prologue(phase, host), layer, epilogue(phase, npu, host));
    }

    private List<Step> prologue(Phase phase, HostSteps host) {
        return List.of(host.embed(phase == Phase.PREFILL ? "prompt" : "token", "x"), host.ropeTable("rope_q", model.heads()),
                host.ropeTable("rope_k", model.keyValueHeads()));
    }

    private List<Step> attentionInput(BaselineCalls npu) {
        int hidden = model.hiddenSize();
        boolean bias = model.queryKeyValueBias();
        List<Step> steps = new ArrayList<>(List.of(
                npu.norm("rms_norm_attention", "x", LAYER + "input_layernorm.weight", "normed"),
                npu.project("q", "normed", SELF + "q_proj.weight", hidden, model.queryDim(), "q"),
                npu.project("k", "normed", SELF + "k_proj.weight", hidden, model.keyValueDim(), "k"),
                npu.project("v", "normed", SELF + "v_proj.weight", hidden, model.keyValueDim(), bias ? "v_unbiased" : "v")));
        String query = "q";
        String key = "k";
        if (bias) {
            steps.add(npu.bias("q_bias", query, SELF + "q_proj.bias", model.queryDim(), "q_biased"));
            steps.add(npu.bias("k_bias", key, SELF + "k_proj.bias", model.keyValueDim(), "k_biased"));
            steps.add(npu.bias("v_bias", "v_unbiased", SELF + "v_proj.bias", model.keyValueDim(), "v"));
            query = "q_biased";
            key = "k_biased";
        }
        if (model.queryKeyNorm()) {
            steps.add(npu.headNorm("q_norm", query, SELF + "q_norm.weight", model.heads(), "q_normed"));
            steps.add(npu.headNorm("k_norm", key, SELF + "k_norm.weight", model.keyValueHeads(), "k_normed"));
            query = "q_normed";
            key = "k_normed";
        }
        steps.add(npu.rope("rope_q", query, "rope_q", model.heads(), "q_roped"));
        steps.add(npu.rope("rope_k", key, "rope_k", model.keyValueHeads(), "k_roped"));
        return List.copyOf(steps);
    }

    private List<Step> attention(Phase phase, BaselineCalls npu, HostSteps host) {
        if (phase == Phase.DECODE) {
            return List.of(host.decodeAttention("q_roped", "k_roped", "v", "attention"));
        }
        List<Step> steps = new ArrayList<>(List.of(
                host.transpose("q_roped", "q_head_first", model.heads(), "head_first"),
                host.transpose("k_roped", "k_head_first", model.keyValueHeads(), "head_first"),
                host.transpose("v", "v_head_first", model.keyValueHeads(), "head_first")));
        npu.flashAttention("flash_attn", "q_head_first", "k_head_first", "v_head_first", "attention_head_first").ifPresentOrElse(
                call -> steps.addAll(List.of(host.fillCache("k_roped", "v"), call)),
                () -> steps.add(host.prefillAttention("q_head_first", "k_head_first", "v_head_first", "attention_head_first", "head_first")));
        steps.add(host.transpose("attention_head_first", "attention", model.heads(), "seq_first"));
        return List.copyOf(steps);
    }

    private List<Step> attentionOutputAndFeedForward(BaselineCalls npu) {
        int hidden = model.hiddenSize();
        int intermediate = model.intermediateSize();
        List<Step> steps = new ArrayList<>();
        steps.add(npu.project("o", "attention", SELF + "o_proj.weight", model.queryDim(), hidden, model.outputBias() ? "o_unbiased" : "o"));
        if (model.outputBias()) {
            steps.add(npu.bias("o_bias", "o_unbiased", SELF + "o_proj.bias", hidden, "o"));
        }
        steps.addAll(List.of(
                npu.add("add_attention", "o", "x", "residual"),
                npu.norm("rms_norm_ffn", "residual", LAYER + "post_attention_layernorm.weight", "normed_ffn"),
                npu.project("gate", "normed_ffn", LAYER + "mlp.gate_proj.weight", hidden, intermediate, "gate"),
                npu.project("up", "normed_ffn", LAYER + "mlp.up_proj.weight", hidden, intermediate, "up"),
                npu.siluMul("silu_mul", "gate", "up", "swiglu"),
                npu.project("down", "swiglu", LAYER + "mlp.down_proj.weight", intermediate, hidden, "down"),
                npu.add("add_ffn", "down", "residual", "x")));
        return List.copyOf(steps);
    }

    private List<Step> epilogue(Phase phase, BaselineCalls npu, HostSteps host) {
        List<Step> steps = new ArrayList<>();
        String last = "x";
        if (phase == Phase.PREFILL) {
            last = "x_last";
            steps.add(host.lastRow("x", last));
        }
        steps.add(host.finalNorm(last, "x_final"));
        List<NpuCall> head = new LanguageHead(model, npu, tiles).partitions("x_final");
        steps.addAll(head);
        steps.add(host.argmax(IntStream.range(0, head.size()).mapToObj(i -> "logits_" + i).toList(), "token"));
        return List.copyOf(steps);
    }
}
