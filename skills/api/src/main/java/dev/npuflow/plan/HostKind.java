package dev.npuflow.plan;

/// The host operations (reference document §E.2, "CPU per token"), all in fp32 as upstream's numpy, values handed over in bf16.
public enum HostKind {
    /// `ids` → rows of the `table` weight.
    EMBED,
    /// Position → `rows` look-up rows [cos | sin], one a head, for RoPE on the NPU.
    ROPE_TABLE,
    /// One query position against the KV cache; appends its own key and value first.
    DECODE_ATTENTION,
    /// All prompt positions, causal; fills the KV cache.
    PREFILL_ATTENTION,
    /// (positions, heads, head_dim) ↔ (heads, positions, head_dim).
    TRANSPOSE,
    /// Elementwise sum.
    ADD,
    /// RMSNorm of each row.
    RMS_NORM,
    /// SiLU(gate) · up.
    SILU_MUL,
    /// The last real position's row.
    LAST_ROW,
    /// Index of the largest logit, the smaller index on a tie.
    ARGMAX
}
