package dev.npuflow.workflow.generation;

/// Something that turns tokens into logits, one query at a time: the reference, or the simulated NPU.
public interface TokenEngine extends AutoCloseable {

    /// Forgets the query before and reads a prompt of at least one id.
    ///
    /// @return logits of the last position, one a vocabulary entry
    float[] prefill(int[] prompt);

    /// Reads one more token of the current query.
    ///
    /// @return logits of that position
    float[] decode(int token);

    @Override void close();
}
