package dev.npuflow.workflow.family;

import static dev.npuflow.workflow.block.Extent.HIDDEN;
import static dev.npuflow.workflow.block.Extent.KEY_VALUE;
import static dev.npuflow.workflow.block.Extent.QUERY;

import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.block.LayerDeclaration;
import dev.npuflow.workflow.block.Rounding;
import dev.npuflow.workflow.block.Value;
import java.util.Map;
import java.util.OptionalInt;

/// OLMo-2: what attention and the feed-forward make is normed, not what they read; and queries and keys are normed whole, not head by head.
///
///     x → q, k, v → q_normed, k_normed → q_roped, k_roped → attention → o → o_normed;  o_normed + x → residual
///     residual → gate, up → swiglu → down → down_normed;  down_normed + residual → x
///
/// Source: transformers' `configuration_olmo2.py`, `modeling_olmo2.py`. mlir-air has no driver for it: its split is taken by the rules of the others.
public final class Olmo2 {

    public static final Family FAMILY = new Family("Olmo2ForCausalLM", "olmo2",
            ClassDefaults.plain(2048, 1e-5).withIds(OptionalInt.empty(), OptionalInt.of(50_279)), Map.of(), UpstreamHead.LLAMA,
            flags -> layer(flags.test("attention_bias")));

    private Olmo2() {}

    /// @param bias whether Q, K, V and O have one; those of Q and K come before the norm
    private static Block layer(boolean bias) {
        LayerDeclaration layer = new LayerDeclaration(Rounding.AT_THE_END);
        Value x = layer.stream();
        Value o = layer.attend(layer.normed(layer.queryKeyValue(x, bias), QUERY, KEY_VALUE), bias);
        Value residual = layer.sum("add_attention", layer.norm("o_norm", o, "post_attention_layernorm", HIDDEN, "o_normed"), x, "residual");
        Value down = layer.feedForward(residual);
        return layer.endingWith("add_ffn", layer.norm("down_norm", down, "post_feedforward_layernorm", HIDDEN, "down_normed"), residual);
    }
}
