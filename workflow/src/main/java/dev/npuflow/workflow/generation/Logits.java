package dev.npuflow.workflow.generation;

import dev.npuflow.workflow.model.Weights;
import java.util.Optional;

/// What can be said of one position's logits before they are believed.
public final class Logits {

    private Logits() {}

    /// What an engine does with the logits of each pass before it hands them out: where they are not finite, a weight may be why, and then it is named.
    ///
    /// @return the same logits
    /// @throws dev.npuflow.fault.NpuflowException NPF-142 naming tensor and index
    public static float[] explained(float[] logits, Weights weights) {
        if (fault(logits).equals(Optional.of(LogitFault.NON_FINITE))) {
            weights.requireFinite();
        }
        return logits;
    }

    /// Upstream has no such check: a zero vector yields token 0, which is then not in its own top-5 (docs/upstream.md, "Gate").
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
