package dev.npuflow.plan;

/// How a call's set of buffer objects is shared over the layers.
public enum BufferKey {
    /// One set for all layers: whatever is kept on the device must be the same in each of them.
    SHARED,
    /// One set a layer.
    PER_LAYER
}
