package dev.npuflow.workflow.reference;

import java.util.Locale;

/// The operators whose outputs an [IntermediateObserver] sees, in the order they run. All but the first and the last two belong to a layer.
public enum Operator {
    EMBEDDING, NORMED, Q, K, V, Q_ROPED, K_ROPED, ATTENTION, O, RESIDUAL, FFN_NORMED, GATE, UP, SILU_MUL, DOWN, OUTPUT, FINAL_NORM, LOGITS;

    /// `normed`, `q_roped`, …
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
