package dev.npuflow.workflow.lens;

import dev.npuflow.workflow.lens.ReferencePass.Key;
import dev.npuflow.workflow.reference.IntermediateObserver;
import dev.npuflow.workflow.reference.Operator;
import java.util.List;
import java.util.Optional;

/// What an operator of a decoder layer is made from: the model's definition, not a plan's.
///
/// @param bias       whether the projections of queries, keys and values have one
/// @param outputBias whether attention's output projection has one
/// @param headNorm   whether queries and keys are normed head by head before RoPE
record OperatorInputs(int layers, boolean bias, boolean outputBias, boolean headNorm) {

    private static final String LAYER = "model.layers.%d.";

    /// The operators that `key` reads. Where there are two the kernel's ports stand in this order, or in any order where it adds.
    List<Key> activations(Key key) {
        int layer = key.layer();
        return switch (key.operator()) {
            case EMBEDDING -> List.of();
            case NORMED -> List.of(entering(layer));
            case Q_UNBIASED, K_UNBIASED, V_UNBIASED -> List.of(new Key(layer, Operator.NORMED));
            case Q -> List.of(new Key(layer, bias ? Operator.Q_UNBIASED : Operator.NORMED));
            case K -> List.of(new Key(layer, bias ? Operator.K_UNBIASED : Operator.NORMED));
            case V -> List.of(new Key(layer, bias ? Operator.V_UNBIASED : Operator.NORMED));
            case Q_NORMED -> List.of(new Key(layer, Operator.Q));
            case K_NORMED -> List.of(new Key(layer, Operator.K));
            case Q_ROPED -> List.of(new Key(layer, headNorm ? Operator.Q_NORMED : Operator.Q));
            case K_ROPED -> List.of(new Key(layer, headNorm ? Operator.K_NORMED : Operator.K));
            case ATTENTION -> List.of(new Key(layer, Operator.Q_ROPED), new Key(layer, Operator.K_ROPED), new Key(layer, Operator.V));
            case O_UNBIASED -> List.of(new Key(layer, Operator.ATTENTION));
            case O -> List.of(new Key(layer, outputBias ? Operator.O_UNBIASED : Operator.ATTENTION));
            case RESIDUAL -> List.of(new Key(layer, Operator.O), entering(layer));
            case FFN_NORMED -> List.of(new Key(layer, Operator.RESIDUAL));
            case GATE, UP -> List.of(new Key(layer, Operator.FFN_NORMED));
            case SILU_MUL -> List.of(new Key(layer, Operator.GATE), new Key(layer, Operator.UP));
            case DOWN -> List.of(new Key(layer, Operator.SILU_MUL));
            case OUTPUT -> List.of(new Key(layer, Operator.DOWN), new Key(layer, Operator.RESIDUAL));
            case FINAL_NORM -> List.of(new Key(layers - 1, Operator.OUTPUT));
            case LOGITS -> List.of(new Key(IntermediateObserver.NO_LAYER, Operator.FINAL_NORM));
        };
    }

    /// The weight that `key` multiplies by or adds, by its Hugging Face name.
    Optional<String> weight(Key key) {
        return switch (key.operator()) {
            case NORMED -> layerWeight(key, "input_layernorm.weight");
            case Q_UNBIASED -> layerWeight(key, "self_attn.q_proj.weight");
            case K_UNBIASED -> layerWeight(key, "self_attn.k_proj.weight");
            case V_UNBIASED -> layerWeight(key, "self_attn.v_proj.weight");
            case Q -> layerWeight(key, bias ? "self_attn.q_proj.bias" : "self_attn.q_proj.weight");
            case K -> layerWeight(key, bias ? "self_attn.k_proj.bias" : "self_attn.k_proj.weight");
            case V -> layerWeight(key, bias ? "self_attn.v_proj.bias" : "self_attn.v_proj.weight");
            case Q_NORMED -> layerWeight(key, "self_attn.q_norm.weight");
            case K_NORMED -> layerWeight(key, "self_attn.k_norm.weight");
            case O_UNBIASED -> layerWeight(key, "self_attn.o_proj.weight");
            case O -> layerWeight(key, outputBias ? "self_attn.o_proj.bias" : "self_attn.o_proj.weight");
            case FFN_NORMED -> layerWeight(key, "post_attention_layernorm.weight");
            case GATE -> layerWeight(key, "mlp.gate_proj.weight");
            case UP -> layerWeight(key, "mlp.up_proj.weight");
            case DOWN -> layerWeight(key, "mlp.down_proj.weight");
            case FINAL_NORM -> Optional.of("model.norm.weight");
            case LOGITS -> Optional.of("lm_head.weight");
            case EMBEDDING, Q_ROPED, K_ROPED, ATTENTION, RESIDUAL, SILU_MUL, OUTPUT -> Optional.empty();
        };
    }

    /// What `key` is before its bias; `key` itself where it has none.
    Key beforeBias(Key key) {
        boolean has = key.operator() == Operator.O ? outputBias : bias;
        return has ? new Key(key.layer(), unbiased(key.operator())) : key;
    }

    static Operator unbiased(Operator operator) {
        return switch (operator) {
            case Q -> Operator.Q_UNBIASED;
            case K -> Operator.K_UNBIASED;
            case V -> Operator.V_UNBIASED;
            case O -> Operator.O_UNBIASED;
            case EMBEDDING, NORMED, Q_UNBIASED, K_UNBIASED, V_UNBIASED, Q_NORMED, K_NORMED, Q_ROPED, K_ROPED, ATTENTION, O_UNBIASED, RESIDUAL, FFN_NORMED,
                    GATE, UP, SILU_MUL, DOWN, OUTPUT, FINAL_NORM, LOGITS -> operator;
        };
    }

    private static Optional<String> layerWeight(Key key, String name) {
        return Optional.of(LAYER.formatted(key.layer()) + name);
    }

    private static Key entering(int layer) {
        return layer == 0 ? new Key(IntermediateObserver.NO_LAYER, Operator.EMBEDDING) : new Key(layer - 1, Operator.OUTPUT);
    }
}
