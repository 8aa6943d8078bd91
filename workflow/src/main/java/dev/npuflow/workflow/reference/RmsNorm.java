package dev.npuflow.workflow.reference;

import dev.npuflow.workflow.block.Rounding;

/// RMSNorm, normalised in fp32: as Hugging Face's `LlamaRMSNorm`, which rounds to bf16, only then multiplies by the weight and rounds again; or as
/// `Olmo2RMSNorm`, which multiplies in fp32 too and rounds once.
///
/// @param weight one bf16 value an element
record RmsNorm(float[] weight, float epsilon, Rounding rounding) {

    /// Normalises every run of `weight.length` elements: a position, or a head of one (QK-norm).
    float[] apply(float[] x, Precision precision) {
        int width = weight.length;
        boolean early = rounding == Rounding.EACH_STEP;
        float[] out = new float[x.length];
        float[] sums = new float[PartialSums.COUNT];
        for (int from = 0; from < x.length; from += width) {
            float meanSquare = PartialSums.dot(x, from, x, from, width, sums) / width;
            float scale = 1f / (float) Math.sqrt(meanSquare + epsilon);
            for (int i = 0; i < width; i++) {
                float normalised = x[from + i] * scale;
                out[from + i] = precision.keep(weight[i] * (early ? precision.keep(normalised) : normalised));
            }
        }
        return out;
    }
}
