package dev.npuflow.workflow.reference;

import java.util.Locale;

/// The operators whose outputs an [IntermediateObserver] sees, in the order they run. All but the first and the last two belong to a layer. The
/// unbiased ones, rounded once as the biased are, exist only where projections have a bias, the normed heads only where there is QK-norm.
public enum Operator {
    EMBEDDING, NORMED, Q_UNBIASED, Q, K_UNBIASED, K, V_UNBIASED, V, Q_NORMED, K_NORMED, Q_ROPED, K_ROPED, ATTENTION, O_UNBIASED, O, RESIDUAL, FFN_NORMED, GATE, UP, SILU_MUL, DOWN, OUTPUT, FINAL_NORM, LOGITS;

    /// `normed`, `q_roped`, …
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
