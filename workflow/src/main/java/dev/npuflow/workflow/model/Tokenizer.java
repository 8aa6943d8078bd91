package dev.npuflow.workflow.model;

/// Text to ids and back.
public interface Tokenizer {

    /// @param specialTokens add what the tokenizer's own post-processor adds, such as BOS; false for text that spells its special tokens itself
    int[] encode(String text, boolean specialTokens);

    /// With what the tokenizer's own post-processor adds, such as BOS.
    default int[] encode(String text) {
        return encode(text, true);
    }

    /// Special tokens left out; ids without an entry decode to nothing.
    String decode(int[] ids);
}
