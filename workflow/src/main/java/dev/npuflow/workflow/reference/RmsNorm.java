package dev.npuflow.workflow.reference;

/// RMSNorm as Hugging Face's `LlamaRMSNorm`: normalise in fp32, round to bf16, only then multiply by the weight and round again.
///
/// @param weight one bf16 value an element
record RmsNorm(float[] weight, float epsilon) {

    /// Normalises every run of `weight.length` elements: a position, or a head of one (QK-norm).
    float[] apply(float[] x) {
        int width = weight.length;
        float[] out = new float[x.length];
        float[] sums = new float[PartialSums.COUNT];
        for (int from = 0; from < x.length; from += width) {
            float meanSquare = PartialSums.dot(x, from, x, from, width, sums) / width;
            float scale = 1f / (float) Math.sqrt(meanSquare + epsilon);
            for (int i = 0; i < width; i++) {
                out[from + i] = Bfloat16.round(weight[i] * Bfloat16.round(x[from + i] * scale));
            }
        }
        return out;
    }
}
