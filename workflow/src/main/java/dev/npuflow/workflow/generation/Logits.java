package dev.npuflow.workflow.generation;

import java.util.Optional;

/// What can be said of one position's logits before they are believed.
public final class Logits {

    private Logits() {}

    /// Upstream has no such check: a zero vector yields token 0, which is then not in its own top-5 (reference document §B.2).
    public static Optional<LogitFault> fault(float[] logits) {
        boolean constant = true;
        for (float value : logits) {
            if (!Float.isFinite(value)) {
                return Optional.of(LogitFault.NON_FINITE);
            }
            constant &= value == logits[0];
        }
        return constant ? Optional.of(LogitFault.CONSTANT) : Optional.empty();
    }
}
