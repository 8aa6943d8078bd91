package dev.npuflow.workflow.model;

/// Rotary embedding of one model at one context length.
///
/// @param rotaryDim       leading entries of a head that rotate, in pairs (i, i + rotaryDim/2); the rest pass through
/// @param inverseFrequencies rotaryDim/2 values, scaling applied, as fp32
/// @param attentionFactor multiplies cos and sin
public record Rope(int rotaryDim, float[] inverseFrequencies, float attentionFactor) {

    public Rope {
        inverseFrequencies = inverseFrequencies.clone();
    }

    @Override public float[] inverseFrequencies() {
        return inverseFrequencies.clone();
    }
}
