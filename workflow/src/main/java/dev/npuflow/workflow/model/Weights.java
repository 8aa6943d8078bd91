package dev.npuflow.workflow.model;

/// The weights of a model, by Hugging Face name. `lm_head.weight` of a tied model is its embedding.
public interface Weights {

    /// @throws dev.npuflow.workflow.fault.NpuflowException naming the tensor, if it is missing
    Tensor tensor(String name);
}
