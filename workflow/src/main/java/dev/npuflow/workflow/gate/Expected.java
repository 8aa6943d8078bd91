package dev.npuflow.workflow.gate;

import dev.npuflow.workflow.generation.TokenTrace;
import java.util.Optional;

/// What one prompt is judged against.
///
/// @param tokens    the reference's
/// @param yardstick for the rule of the distribution; empty of tokens that were recorded in a file, which holds no logits
public record Expected(TokenTrace tokens, Optional<? extends Yardstick> yardstick) {

    /// Recorded tokens.
    public static Expected tokens(TokenTrace tokens) {
        return new Expected(tokens, Optional.empty());
    }
}
