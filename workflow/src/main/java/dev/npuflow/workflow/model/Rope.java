package dev.npuflow.workflow.model;

import java.math.BigDecimal;

/// Rotary embedding of one model at one context length.
///
/// @param rotaryDim       leading entries of a head that rotate, in pairs (i, i + rotaryDim/2); the rest pass through
/// @param theta           the base that the configuration names, before any scaling
/// @param inverseFrequencies rotaryDim/2 values, scaling applied, as fp32
/// @param attentionFactor multiplies cos and sin
public record Rope(int rotaryDim, double theta, float[] inverseFrequencies, float attentionFactor) {

    public Rope {
        inverseFrequencies = inverseFrequencies.clone();
    }

    /// [#theta] without exponent and without zeros that say nothing: `500000`.
    public String thetaText() {
        return new BigDecimal(Double.toString(theta)).stripTrailingZeros().toPlainString();
    }

    @Override public float[] inverseFrequencies() {
        return inverseFrequencies.clone();
    }
}
