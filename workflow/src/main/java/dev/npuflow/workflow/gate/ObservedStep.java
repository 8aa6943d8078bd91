package dev.npuflow.workflow.gate;

import java.util.List;

/// What a run showed of one step: the output of every layer, then the logits.
///
/// @param step    0 for the prompt, then one a decoded token
/// @param vectors in the order they were computed
public record ObservedStep(int step, List<Vector> vectors) {

    public ObservedStep {
        vectors = List.copyOf(vectors);
    }

    /// @param name   such as `layer 3` or `logits`
    /// @param values fp32; a bf16 vector widened, which keeps its bits
    public record Vector(String name, float[] values) {}
}
