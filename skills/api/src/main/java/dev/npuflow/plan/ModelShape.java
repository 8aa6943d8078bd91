package dev.npuflow.plan;

/// The facts of a model that a plan depends on.
///
/// @param name           for people; the directory's name
/// @param paddedPrefill  positions that a prefill launch is built for
public record ModelShape(String name, int layers, int hiddenSize, int intermediateSize, int heads, int keyValueHeads, int headDim,
        int vocabSize, boolean tiedHead, boolean queryKeyValueBias, boolean queryKeyNorm, double rmsNormEpsilon, int paddedPrefill) {

    public int queryDim() {
        return heads * headDim;
    }

    public int keyValueDim() {
        return keyValueHeads * headDim;
    }
}
