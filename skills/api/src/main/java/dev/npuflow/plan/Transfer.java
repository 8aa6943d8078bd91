package dev.npuflow.plan;

/// When the host writes an argument's buffer object to the device. The first call of a buffer-object key writes every
/// argument whatever its transfer (docs/upstream.md, "Runtime").
public enum Transfer {
    /// Written on every call.
    EVERY_CALL,
    /// Written on the first call only: the host value never changes under this key.
    STATIC,
    /// Written on the first call only: the device overwrites it before reading it.
    INTERMEDIATE
}
