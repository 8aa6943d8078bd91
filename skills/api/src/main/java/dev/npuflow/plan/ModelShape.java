package dev.npuflow.plan;

/// The facts of a model that a plan depends on.
///
/// @param name           for people; the directory's name
/// @param paddedPrefill  positions that a prefill launch is built for
/// @param rotaryDim      leading entries of a head that RoPE turns; `headDim` unless the model's rotary embedding is partial
public record ModelShape(String name, int layers, int hiddenSize, int intermediateSize, int heads, int keyValueHeads, int headDim,
        int vocabSize, boolean tiedHead, boolean queryKeyValueBias, boolean queryKeyNorm, double rmsNormEpsilon, int paddedPrefill,
        int rotaryDim) {

    /// A model whose whole head is rotated.
    public ModelShape(String name, int layers, int hiddenSize, int intermediateSize, int heads, int keyValueHeads, int headDim, int vocabSize,
            boolean tiedHead, boolean queryKeyValueBias, boolean queryKeyNorm, double rmsNormEpsilon, int paddedPrefill) {
        this(name, layers, hiddenSize, intermediateSize, heads, keyValueHeads, headDim, vocabSize, tiedHead, queryKeyValueBias, queryKeyNorm,
                rmsNormEpsilon, paddedPrefill, headDim);
    }

    public int queryDim() {
        return heads * headDim;
    }

    public int keyValueDim() {
        return keyValueHeads * headDim;
    }
}
