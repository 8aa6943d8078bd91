package dev.npuflow.plan;

/// The host operations (docs/upstream.md, "The ELFs of llama32_1b", on the CPU), all in fp32 as upstream's numpy, values handed over in bf16.
///
/// Each line names `input parameters` → `output parameters`, then the keys of `shape`. `positions` is 1 in decode, the padded
/// number in prefill, where only the real positions are computed.
public enum HostKind {
    /// `ids`, `table` (a weight) → `out`: rows of the table; `positions`, `n`. The ids are the value `prompt` in prefill, `token` in decode.
    EMBED,
    /// The position → `out`: for each position `rows` equal look-up rows [cos(rotary_dim/2) | sin(rotary_dim/2)], one a head, for RoPE on
    /// the NPU; `positions`, `rows`, `rotary_dim`. No inputs: the run knows its position.
    ROPE_TABLE,
    /// `query`, `key`, `value` → `out`: one query position against the KV cache; appends its own key and value first; `heads`,
    /// `key_value_heads`, `head_dim`.
    DECODE_ATTENTION,
    /// `query`, `key`, `value` → `out`: all prompt positions, causal; fills the KV cache; `positions`, `heads`, `key_value_heads`,
    /// `head_dim`. Option `layout`, of all four: `seq_first` (positions, heads, head_dim) or `head_first` (heads, positions, head_dim).
    PREFILL_ATTENTION,
    /// `key`, `value`, both (positions, key_value_heads, head_dim) → nothing: all prompt positions into the KV cache, for decode, where the NPU computed the
    /// attention; `positions`, `key_value_heads`, `head_dim`.
    KV_CACHE_EXTRACT,
    /// `in` → `out`; `positions`, `heads`, `head_dim`. Option `to`: `head_first` or `seq_first`, the layout of `out`; `in` has the other.
    TRANSPOSE,
    /// `a`, `b` → `out`: elementwise sum; `positions`, `n`.
    ADD,
    /// `in`, `weight` (a weight) → `out`: RMSNorm of each row; `positions`, `n`.
    RMS_NORM,
    /// `gate`, `up` → `out`: SiLU(gate) · up; `positions`, `n`.
    SILU_MUL,
    /// `in` → `out`: the last real position's row; `positions` of `in`, `n`.
    LAST_ROW,
    /// `part_000`, `part_001` … → `out`: index, in the parts laid end to end, of the largest logit, the smaller index on a tie; `n`.
    ARGMAX
}
