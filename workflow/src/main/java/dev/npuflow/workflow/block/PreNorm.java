package dev.npuflow.workflow.block;

import static dev.npuflow.workflow.block.Extent.HEAD;
import static dev.npuflow.workflow.block.Extent.HIDDEN;

import dev.npuflow.plan.ModelShape;
import dev.npuflow.workflow.block.LayerDeclaration.QueryKeyValue;

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
        LayerDeclaration layer = new LayerDeclaration(Rounding.EACH_STEP);
        Value x = layer.stream();
        QueryKeyValue projected = layer.queryKeyValue(layer.norm("rms_norm_attention", x, "input_layernorm", HIDDEN, "normed"), inputBias);
        Value o = layer.attend(headNorm ? layer.normed(projected, HEAD, HEAD) : projected, outputBias);
        Value residual = layer.sum("add_attention", o, x, "residual");
        Value down = layer.feedForward(layer.norm("rms_norm_ffn", residual, "post_attention_layernorm", HIDDEN, "normed_ffn"));
        return layer.endingWith("add_ffn", down, residual);
    }
}
