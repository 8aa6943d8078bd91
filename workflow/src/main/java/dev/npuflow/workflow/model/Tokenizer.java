package dev.npuflow.workflow.model;

/// Text to ids and back.
public interface Tokenizer {

    /// With what the tokenizer's own post-processor adds, such as BOS.
    int[] encode(String text);

    /// Special tokens left out.
    String decode(int[] ids);
}
