package dev.npuflow.workflow.reference;

import dev.npuflow.workflow.model.Rope;

/// Rotary embedding in half-split order, as Hugging Face's `apply_rotary_pos_emb`: cos and sin in fp32 times the attention factor, rounded to bf16;
/// then x·cos rounded, rotate_half(x)·sin rounded, their sum rounded. Pairs are (i, i + rotaryDim/2); what lies behind rotaryDim passes through.
final class RotaryEmbedding {

    private final int rotaryDim;
    private final float[] inverseFrequencies;
    private final float attentionFactor;

    RotaryEmbedding(Rope rope) {
        rotaryDim = rope.rotaryDim();
        inverseFrequencies = rope.inverseFrequencies();
        attentionFactor = rope.attentionFactor();
    }

    /// Rotates positions × width, where a width is whole heads of `headDim`.
    float[] apply(float[] x, int firstPosition, int positions, int headDim) {
        int width = x.length / positions;
        int half = rotaryDim / 2;
        float[] out = x.clone();
        float[] cos = new float[half];
        float[] sin = new float[half];
        for (int row = 0; row < positions; row++) {
            fillAngles(firstPosition + row, cos, sin);
            for (int head = row * width; head < (row + 1) * width; head += headDim) {
                for (int i = 0; i < half; i++) {
                    float low = x[head + i];
                    float high = x[head + half + i];
                    out[head + i] = Bfloat16.round(Bfloat16.round(low * cos[i]) + Bfloat16.round(-high * sin[i]));
                    out[head + half + i] = Bfloat16.round(Bfloat16.round(high * cos[i]) + Bfloat16.round(low * sin[i]));
                }
            }
        }
        return out;
    }

    /// StrictMath, not Math: the same bits on every JVM.
    private void fillAngles(int position, float[] cos, float[] sin) {
        for (int i = 0; i < inverseFrequencies.length; i++) {
            float angle = position * inverseFrequencies[i];
            cos[i] = Bfloat16.round((float) StrictMath.cos(angle) * attentionFactor);
            sin[i] = Bfloat16.round((float) StrictMath.sin(angle) * attentionFactor);
        }
    }
}
