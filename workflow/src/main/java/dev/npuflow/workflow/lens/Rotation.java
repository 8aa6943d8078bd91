package dev.npuflow.workflow.lens;

import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.workflow.model.ModelConfig;

/// RoPE in double precision, in either convention.
final class Rotation {

    private final ModelConfig config;

    Rotation(ModelConfig config) {
        this.config = config;
    }

    /// @param in          positions · heads · head_dim
    /// @param length      of the pass that the rows belong to, for frequencies that depend on it
    /// @param interleaved pairs (2i, 2i + 1) instead of (i, i + rotary_dim/2)
    short[] apply(short[] in, int firstPosition, int positions, int length, boolean interleaved) {
        float[] frequencies = config.rope().inverseFrequencies(length);
        int half = frequencies.length;
        int heads = in.length / positions / config.headDim();
        short[] out = in.clone();
        for (int row = 0; row < positions * heads; row++) {
            for (int i = 0; i < half; i++) {
                double angle = (firstPosition + row / heads) * (double) frequencies[i];
                double cos = Math.cos(angle) * config.rope().attentionFactor();
                double sin = Math.sin(angle) * config.rope().attentionFactor();
                int low = row * config.headDim() + (interleaved ? 2 * i : i);
                int high = row * config.headDim() + (interleaved ? 2 * i + 1 : half + i);
                double a = Bfloat16.toFloat(in[low]);
                double b = Bfloat16.toFloat(in[high]);
                out[low] = OutputEvidence.round(a * cos - b * sin);
                out[high] = OutputEvidence.round(b * cos + a * sin);
            }
        }
        return out;
    }
}
