package dev.npuflow.workflow.lowering;

import dev.npuflow.plan.BufferKey;
import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.Herd;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import java.util.List;

/// Upstream's first ELF of a layer: norm, Q, K, V, then bias (Qwen2), norms of each head (Qwen3) or, as no model of its has them, both, then RoPE (reference document §E.2, §E.4).
record UpstreamAttentionInput(ModelShape model, Phase phase, UpstreamTiles tiles, UpstreamForm form) {

    static final String LAYER = "model.layers.{layer}.";
    private static final String SELF = LAYER + "self_attn.";

    NpuCall call(ElfOptions options) {
        UpstreamElf elf = new UpstreamElf(name(), model, phase, tiles, form);
        String x = elf.input("x", model.hiddenSize());
        String tableQ = elf.table("rope_q", model.heads());
        String tableK = elf.table("rope_k", model.keyValueHeads());
        Herd one = phase == Phase.DECODE ? new Herd(1, 1) : tiles.rows(model.paddedPrefill());
        String normed = elf.norm("rms_norm_attention", x, LAYER + "input_layernorm.weight", 1, model.hiddenSize(), one, "normed");
        boolean bias = model.queryKeyValueBias();
        String q = elf.project("q", normed, SELF + "q_proj.weight", model.hiddenSize(), model.queryDim(), "q");
        String k = elf.project("k", normed, SELF + "k_proj.weight", model.hiddenSize(), model.keyValueDim(), "k");
        String v = elf.project("v", normed, SELF + "v_proj.weight", model.hiddenSize(), model.keyValueDim(), bias ? "v_unbiased" : "v");
        if (bias) {
            q = elf.bias("q_bias", q, SELF + "q_proj.bias", model.queryDim(), "q_biased");
            k = elf.bias("k_bias", k, SELF + "k_proj.bias", model.keyValueDim(), "k_biased");
            v = elf.bias("v_bias", v, SELF + "v_proj.bias", model.keyValueDim(), "v");
        }
        if (model.queryKeyNorm()) {
            q = elf.norm("q_norm", q, SELF + "q_norm.weight", model.heads(), model.headDim(), herd(model.heads()), "q_normed");
            k = elf.norm("k_norm", k, SELF + "k_norm.weight", model.keyValueHeads(), model.headDim(), herd(model.keyValueHeads()), "k_normed");
        }
        List.of(v, elf.rope("rope_q", q, tableQ, model.heads(), herd(model.heads()), "q_roped"),
                elf.rope("rope_k", k, tableK, model.keyValueHeads(), herd(model.keyValueHeads()), "k_roped")).forEach(elf::readBack);
        return elf.build(BufferKey.PER_LAYER, options);
    }

    private Herd herd(int heads) {
        return phase == Phase.PREFILL ? tiles.rows(model.paddedPrefill() * heads) : model.queryKeyNorm() ? tiles.rows(heads) : new Herd(1, 1);
    }

    private String name() {
        boolean decode = phase == Phase.DECODE;
        if (model.queryKeyValueBias() && model.queryKeyNorm()) {
            return decode ? "rms_qkv_bias_qknorm_rope_gemv" : "rms_qkv_bias_qknorm_rope";
        }
        if (model.queryKeyValueBias()) {
            return decode ? "rms_qkv_bias_rope_gemv" : "rms_qkv_bias_rope";
        }
        if (model.queryKeyNorm()) {
            return decode ? "rms_qkv_qknorm_rope_gemv" : "rms_qkv_qknorm_rope";
        }
        return decode ? "rms_gemv_rope" : "rms_gemms_rope";
    }
}
