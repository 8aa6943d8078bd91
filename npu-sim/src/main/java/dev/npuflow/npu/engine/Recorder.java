package dev.npuflow.npu.engine;

/// Hears of every busy span, in the order in which they end.
public interface Recorder {

    Recorder SILENT = (agent, label, start, end, bytes) -> {};

    /// @param bytes moved in the span; 0 where none were
    void span(String agent, String label, long startPicoseconds, long endPicoseconds, long bytes);
}
