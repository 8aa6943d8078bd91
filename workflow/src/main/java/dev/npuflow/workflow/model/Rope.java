package dev.npuflow.workflow.model;

import java.math.BigDecimal;

/// Rotary embedding of one model.
///
/// @param rotaryDim       leading entries of a head that rotate, in pairs (i, i + rotaryDim/2); the rest pass through
/// @param theta           the base that the configuration names, before any scaling
/// @param frequencies     of the pairs, scaling applied
/// @param attentionFactor multiplies cos and sin, at every length
public record Rope(RopeType type, int rotaryDim, double theta, InverseFrequencies frequencies, float attentionFactor) {

    /// Without a scaling that depends on the length.
    public Rope(int rotaryDim, double theta, float[] inverseFrequencies, float attentionFactor) {
        this(RopeType.DEFAULT, rotaryDim, theta, new InverseFrequencies.Fixed(inverseFrequencies), attentionFactor);
    }

    /// rotaryDim/2 values as fp32, for a pass whose last token stands at position `length` − 1. Every token of the pass rotates by them.
    public float[] inverseFrequencies(int length) {
        return frequencies.at(length);
    }

    /// [#theta] without exponent and without zeros that say nothing: `500000`.
    public String thetaText() {
        return new BigDecimal(Double.toString(theta)).stripTrailingZeros().toPlainString();
    }
}
