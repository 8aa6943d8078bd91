package dev.npuflow.workflow.lens;

import dev.npuflow.workflow.lens.Localization.Involved;
import java.util.Optional;

/// Why an operator is wrong, from what was found on the device.
record Explanation(Hypothesis hypothesis, String evidence, Optional<Involved> involved) {

    static Explanation of(Hypothesis hypothesis, String evidence) {
        return new Explanation(hypothesis, evidence, Optional.empty());
    }
}
