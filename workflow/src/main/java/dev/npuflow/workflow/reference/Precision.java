package dev.npuflow.workflow.reference;

/// What the reference keeps of a value between two operators. Weights are the stored ones, and sums are fp32, in either.
enum Precision {
    /// As a bf16 pipeline keeps it: the nearest bf16. The judge's own.
    BF16,
    /// All of the fp32. What bf16 costs a model is the distance between the two: the yardstick of the gate's third rule.
    FP32;

    float keep(float value) {
        return this == BF16 ? Bfloat16.round(value) : value;
    }
}
