package dev.npuflow.npu.engine;

/// Hears of every busy span, in the order in which they end; of a message's span on a link when the message arrives.
public interface Recorder {

    Recorder SILENT = (component, label, start, end, bytes, correlation) -> {};

    /// @param component   name of the node or link
    /// @param bytes       moved in the span; 0 where none were
    /// @param correlation id of what it was busy with: the run's, or a message's
    void span(String component, String label, long startPicoseconds, long endPicoseconds, long bytes, String correlation);
}
