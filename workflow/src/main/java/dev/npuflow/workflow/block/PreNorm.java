package dev.npuflow.workflow.block;

import static dev.npuflow.workflow.block.Extent.HEAD;
import static dev.npuflow.workflow.block.Extent.HIDDEN;
import static dev.npuflow.workflow.block.Extent.INTERMEDIATE;
import static dev.npuflow.workflow.block.Extent.KEY_VALUE;
import static dev.npuflow.workflow.block.Extent.QUERY;

import dev.npuflow.plan.ModelShape;

/// The layer of Llama, Mistral, Qwen2 and Qwen3: a norm before attention and one before the feed-forward.
///
///     x → normed → q, k, v (+ bias if any; normed by head if so) → q_roped, k_roped → attention → o (+ bias if any);  o + x → residual
///     residual → normed_ffn → gate, up → swiglu → down;  down + residual → x
///
/// Source: transformers' `modeling_llama.py`, `modeling_qwen2.py`, `modeling_qwen3.py`.
public final class PreNorm {

    private PreNorm() {}

    /// By the flags of a shape, where there is no configuration to ask.
    public static Block of(ModelShape shape) {
        return of(shape.queryKeyValueBias(), shape.outputBias(), shape.queryKeyNorm());
    }

    /// @param inputBias  whether Q, K and V have a bias
    /// @param outputBias whether O has one
    /// @param headNorm   whether queries and keys are normed head by head, behind their bias and before RoPE
    public static Block of(boolean inputBias, boolean outputBias, boolean headNorm) {
        LayerDeclaration layer = new LayerDeclaration();
        Value x = layer.stream();
        Value normed = layer.norm("rms_norm_attention", x, "input_layernorm", HIDDEN, "normed");
        Value q = layer.project("q", normed, "self_attn.q_proj", QUERY, "q");
        Value k = layer.project("k", normed, "self_attn.k_proj", KEY_VALUE, "k");
        Value v = layer.project("v", normed, "self_attn.v_proj", KEY_VALUE, inputBias ? "v_unbiased" : "v");
        if (inputBias) {
            q = layer.bias("q_bias", q, "self_attn.q_proj", "q_biased");
            k = layer.bias("k_bias", k, "self_attn.k_proj", "k_biased");
            v = layer.bias("v_bias", v, "self_attn.v_proj", "v");
        }
        if (headNorm) {
            q = layer.norm("q_norm", q, "self_attn.q_norm", HEAD, "q_normed");
            k = layer.norm("k_norm", k, "self_attn.k_norm", HEAD, "k_normed");
        }
        Value attention = layer.attend(layer.rotate("rope_q", q, "q_roped"), layer.rotate("rope_k", k, "k_roped"), v);
        Value o = layer.project("o", attention, "self_attn.o_proj", HIDDEN, outputBias ? "o_unbiased" : "o");
        if (outputBias) {
            o = layer.bias("o_bias", o, "self_attn.o_proj", "o");
        }
        Value residual = layer.sum("add_attention", o, x, "residual");
        Value normedAgain = layer.norm("rms_norm_ffn", residual, "post_attention_layernorm", HIDDEN, "normed_ffn");
        Value gate = layer.project("gate", normedAgain, "mlp.gate_proj", INTERMEDIATE, "gate");
        Value up = layer.project("up", normedAgain, "mlp.up_proj", INTERMEDIATE, "up");
        Value down = layer.project("down", layer.gatedProduct("silu_mul", gate, up, "swiglu"), "mlp.down_proj", HIDDEN, "down");
        return layer.endingWith("add_ffn", down, residual);
    }
}
