package dev.npuflow.workflow.block;

/// What a width of a value or a weight is called; [Dimensions] says how many elements that are in a model.
public enum Extent {
    /// The rows of a weight that is a vector.
    ONE,
    /// The residual stream.
    HIDDEN,
    /// The feed-forward between its projections.
    INTERMEDIATE,
    /// All query heads.
    QUERY,
    /// All key heads, or all value heads.
    KEY_VALUE,
    /// One head.
    HEAD,
    VOCABULARY
}
