package dev.npuflow.workflow.reference;

import dev.npuflow.workflow.generation.TokenTrace;
import java.util.List;

/// What the reference recorded for one prompt.
///
/// @param tokens  what the gate needs
/// @param margins a step's best logit minus its second best; how far from a tie the choice was
public record ReferenceTrace(TokenTrace tokens, List<Float> margins) {

    public ReferenceTrace {
        margins = List.copyOf(margins);
    }
}
