package dev.npuflow.workflow.control;

import dev.npuflow.workflow.gate.DistributionCheck;
import java.util.Optional;

/// What the gate made of one control.
///
/// @param answer       how the control ended
/// @param distribution the figures of the third rule; empty where the control did not come so far
/// @param reason       one line
public record ControlResult(String kind, String name, boolean wrong, Answer answer, Optional<DistributionCheck> distribution, String reason) {

    /// Who stopped a control, the first that would have.
    public enum Answer {
        /// Npuflow refused to run it.
        REFUSED,
        /// Upstream's rule.
        UPSTREAM,
        /// The same at every step.
        EVERY_STEP,
        /// Only the rule of the distribution.
        DISTRIBUTION,
        /// Nobody.
        PASSED
    }

    public boolean caught() {
        return answer != Answer.PASSED;
    }

    /// A wrong deployment that passes, or a right one that does not.
    public boolean mistaken() {
        return wrong != caught();
    }
}
