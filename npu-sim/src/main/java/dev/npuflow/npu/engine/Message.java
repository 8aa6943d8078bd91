package dev.npuflow.npu.engine;

/// What components send to each other: a request, a packet of a transfer, a credit of their own. Immutable; each machine has records of its own.
public interface Message {

    /// Bytes that occupy a link; 0 for what costs latency only.
    long bytes();

    /// Contiguous bytes at the far end, for links that charge for each contiguous run.
    default long runBytes() {
        return bytes();
    }

    /// What a trace calls it.
    String label();

    /// Which command of which launch it belongs to: an id that begins with [Node#correlation()].
    String correlation();
}
