package dev.npuflow.workflow.estimate;

/// The text that a cost is told for: figures per token are the mean over the decoded tokens.
///
/// @param promptTokens  real positions of the prompt
/// @param decodedTokens made by decode steps, at least 1
public record TextLength(int promptTokens, int decodedTokens) {

    /// What published decode speeds were measured with on Strix: a short prompt, a short answer.
    public static final int SHORT_PROMPT = 7;
    public static final int SHORT_ANSWER = 32;
    public static final TextLength SHORT = new TextLength(SHORT_PROMPT, SHORT_ANSWER);

    public TextLength {
        if (promptTokens < 1 || decodedTokens < 1) {
            throw new IllegalArgumentException("prompt of %d tokens, %d decoded".formatted(promptTokens, decodedTokens));
        }
    }

    /// One token, made while the KV cache holds `positions`, its own among them.
    ///
    /// @param positions at least 2
    public static TextLength at(int positions) {
        return new TextLength(positions - 1, 1);
    }

    /// Positions in the KV cache when decode step `step`, from 0, is done.
    public int positionsAfter(int step) {
        return promptTokens + step + 1;
    }
}
