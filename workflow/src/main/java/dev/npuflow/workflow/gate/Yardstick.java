package dev.npuflow.workflow.gate;

/// What one prompt's logits are measured with: those of the same model with nothing rounded between its operators, fed the reference's tokens. How far the
/// reference itself is from them is the noise of bf16 on this model, which no plan decides.
public interface Yardstick {

    /// Steps it holds, from the prompt's on.
    int steps();

    /// Entries of a step's logits.
    int vocabulary();

    /// The unrounded logits of a step, fp32, in an array of the caller's own.
    float[] unrounded(int step);

    /// KL(unrounded ‖ reference) of a step, in nats.
    double noise(int step);
}
