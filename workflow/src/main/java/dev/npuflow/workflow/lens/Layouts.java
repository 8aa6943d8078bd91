package dev.npuflow.workflow.lens;

import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.Launch;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.reference.Operator;

/// Who works head-first, (heads, positions, head_dim); the reference is seq-first everywhere.
final class Layouts {

    private Layouts() {}

    static boolean headFirst(Launch launch) {
        return launch.kernel().equals("flash_attention") && launch.shape().getOrDefault("head_first", 0) == 1;
    }

    static boolean headFirst(HostOp op) {
        return "head_first".equals(op.options().get("layout"));
    }

    /// Heads of an operator's output; 0 for one that has none.
    static int heads(Operator operator, ModelConfig config) {
        return switch (operator) {
            case Q_UNBIASED, Q, Q_NORMED, Q_ROPED, ATTENTION -> config.heads();
            case K_UNBIASED, K, K_NORMED, K_ROPED, V_UNBIASED, V -> config.keyValueHeads();
            case EMBEDDING, NORMED, O_UNBIASED, O, RESIDUAL, FFN_NORMED, GATE, UP, SILU_MUL, DOWN, OUTPUT, FINAL_NORM, LOGITS -> 0;
        };
    }
}
