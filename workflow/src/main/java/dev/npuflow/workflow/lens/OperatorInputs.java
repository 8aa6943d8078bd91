package dev.npuflow.workflow.lens;

import dev.npuflow.workflow.lens.ReferencePass.Key;
import dev.npuflow.workflow.reference.IntermediateObserver;
import dev.npuflow.workflow.reference.Operator;
import java.util.List;
import java.util.Optional;

/// What an operator of a decoder layer is made from: the model's definition, not a plan's.
final class OperatorInputs {

    private static final String LAYER = "model.layers.%d.";

    private OperatorInputs() {}

    /// The operators that `key` reads. Where there are two the kernel's ports stand in this order, or in any order where it adds.
    static List<Key> activations(Key key, int layers) {
        int layer = key.layer();
        return switch (key.operator()) {
            case EMBEDDING -> List.of();
            case NORMED -> List.of(entering(layer));
            case Q, K, V -> List.of(new Key(layer, Operator.NORMED));
            case Q_ROPED -> List.of(new Key(layer, Operator.Q));
            case K_ROPED -> List.of(new Key(layer, Operator.K));
            case ATTENTION -> List.of(new Key(layer, Operator.Q_ROPED), new Key(layer, Operator.K_ROPED), new Key(layer, Operator.V));
            case O -> List.of(new Key(layer, Operator.ATTENTION));
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

    /// The weight that `key` multiplies by, by its Hugging Face name.
    static Optional<String> weight(Key key) {
        return switch (key.operator()) {
            case NORMED -> layerWeight(key, "input_layernorm.weight");
            case Q -> layerWeight(key, "self_attn.q_proj.weight");
            case K -> layerWeight(key, "self_attn.k_proj.weight");
            case V -> layerWeight(key, "self_attn.v_proj.weight");
            case O -> layerWeight(key, "self_attn.o_proj.weight");
            case FFN_NORMED -> layerWeight(key, "post_attention_layernorm.weight");
            case GATE -> layerWeight(key, "mlp.gate_proj.weight");
            case UP -> layerWeight(key, "mlp.up_proj.weight");
            case DOWN -> layerWeight(key, "mlp.down_proj.weight");
            case FINAL_NORM -> Optional.of("model.norm.weight");
            case LOGITS -> Optional.of("lm_head.weight");
            case EMBEDDING, Q_ROPED, K_ROPED, ATTENTION, RESIDUAL, SILU_MUL, OUTPUT -> Optional.empty();
        };
    }

    private static Optional<String> layerWeight(Key key, String name) {
        return Optional.of(LAYER.formatted(key.layer()) + name);
    }

    private static Key entering(int layer) {
        return layer == 0 ? new Key(IntermediateObserver.NO_LAYER, Operator.EMBEDDING) : new Key(layer - 1, Operator.OUTPUT);
    }
}
