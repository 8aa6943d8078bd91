package dev.npuflow.workflow.block;

/// Where Hugging Face's code of a family rounds to bf16 within a norm and within a rotation. A fact about the family's definition; the NPU's kernels round as they
/// round, whatever the family.
public enum Rounding {
    /// A norm before its weight and behind it; a rotation its cosine and sine, both products and their sum (`LlamaRMSNorm`, `apply_rotary_pos_emb` there).
    EACH_STEP,
    /// Once, at the end: all before is fp32 (`Olmo2RMSNorm`, `apply_rotary_pos_emb` there).
    AT_THE_END
}
