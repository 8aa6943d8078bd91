package dev.npuflow.workflow.reference;

import dev.npuflow.workflow.block.Rounding;
import dev.npuflow.workflow.model.Rope;

/// Rotary embedding in half-split order, as Hugging Face's `apply_rotary_pos_emb`: cos and sin in fp32 times the attention factor, rounded to bf16;
/// then x·cos rounded, rotate_half(x)·sin rounded, their sum rounded. OLMo-2's rounds nothing but the sum. Pairs are (i, i + rotaryDim/2); what lies behind rotaryDim passes through.
final class RotaryEmbedding {

    private final Rope rope;
    private final Rounding rounding;

    RotaryEmbedding(Rope rope, Rounding rounding) {
        this.rope = rope;
        this.rounding = rounding;
    }

    /// Rotates positions × width, where a width is whole heads of `headDim`. The positions are one pass: all rotate by the frequencies of its last one.
    float[] apply(float[] x, int firstPosition, int positions, int headDim, Precision precision) {
        int width = x.length / positions;
        float[] inverseFrequencies = rope.inverseFrequencies(firstPosition + positions);
        int half = inverseFrequencies.length;
        float[] out = x.clone();
        float[] cos = new float[half];
        float[] sin = new float[half];
        for (int row = 0; row < positions; row++) {
            fillAngles(firstPosition + row, inverseFrequencies, cos, sin, precision);
            for (int head = row * width; head < (row + 1) * width; head += headDim) {
                for (int i = 0; i < half; i++) {
                    float low = x[head + i];
                    float high = x[head + half + i];
                    out[head + i] = precision.keep(step(low * cos[i], precision) + step(-high * sin[i], precision));
                    out[head + half + i] = precision.keep(step(high * cos[i], precision) + step(low * sin[i], precision));
                }
            }
        }
        return out;
    }

    /// StrictMath, not Math: the same bits on every JVM.
    private void fillAngles(int position, float[] inverseFrequencies, float[] cos, float[] sin, Precision precision) {
        for (int i = 0; i < inverseFrequencies.length; i++) {
            float angle = position * inverseFrequencies[i];
            cos[i] = step((float) StrictMath.cos(angle) * rope.attentionFactor(), precision);
            sin[i] = step((float) StrictMath.sin(angle) * rope.attentionFactor(), precision);
        }
    }

    private float step(float value, Precision precision) {
        return rounding == Rounding.EACH_STEP ? precision.keep(value) : value;
    }
}
