package dev.npuflow.workflow.model;

/// The weights of a model, by Hugging Face name. `lm_head.weight` of a tied model is its embedding.
public interface Weights {

    /// @throws dev.npuflow.fault.NpuflowException naming the tensor, if it is missing
    Tensor tensor(String name);

    /// Reads every weight over, the first time it is called. An engine calls it when its logits are not finite, for then a weight may be why; a NaN that
    /// changes no logit, such as in the row of a token that is never read, keeps no model from running.
    ///
    /// @throws dev.npuflow.fault.NpuflowException NPF-142 naming tensor and index, if a value is not finite, or not in bf16
    default void requireFinite() {}
}
