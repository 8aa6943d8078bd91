package dev.npuflow.plan;

import com.fasterxml.jackson.annotation.JacksonInject;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.OptBoolean;

/// The facts of a model that a plan depends on.
///
/// @param name              for people; the directory's name
/// @param queryKeyValueBias whether Q, K and V have a bias
/// @param queryKeyNorm      whether each head of Q and K is normed
/// @param paddedPrefill     positions that a prefill launch is built for
/// @param rotaryDim         leading entries of a head that RoPE turns; `headDim` unless the model's rotary embedding is partial
/// @param outputBias        whether O has a bias. Only a model that has one says so in a plan's JSON, so that plans from before this field keep their hashes
public record ModelShape(String name, int layers, int hiddenSize, int intermediateSize, int heads, int keyValueHeads, int headDim,
        int vocabSize, boolean tiedHead, boolean queryKeyValueBias, boolean queryKeyNorm, double rmsNormEpsilon, int paddedPrefill,
        int rotaryDim, @JsonInclude(JsonInclude.Include.NON_DEFAULT) @JacksonInject(value = CanonicalJson.ABSENT, useInput = OptBoolean.TRUE) boolean outputBias) {

    /// A model without a bias on O.
    public ModelShape(String name, int layers, int hiddenSize, int intermediateSize, int heads, int keyValueHeads, int headDim, int vocabSize,
            boolean tiedHead, boolean queryKeyValueBias, boolean queryKeyNorm, double rmsNormEpsilon, int paddedPrefill, int rotaryDim) {
        this(name, layers, hiddenSize, intermediateSize, heads, keyValueHeads, headDim, vocabSize, tiedHead, queryKeyValueBias, queryKeyNorm,
                rmsNormEpsilon, paddedPrefill, rotaryDim, false);
    }

    /// One whose whole head is rotated, too.
    public ModelShape(String name, int layers, int hiddenSize, int intermediateSize, int heads, int keyValueHeads, int headDim, int vocabSize,
            boolean tiedHead, boolean queryKeyValueBias, boolean queryKeyNorm, double rmsNormEpsilon, int paddedPrefill) {
        this(name, layers, hiddenSize, intermediateSize, heads, keyValueHeads, headDim, vocabSize, tiedHead, queryKeyValueBias, queryKeyNorm,
                rmsNormEpsilon, paddedPrefill, headDim);
    }

    public ModelShape withOutputBias() {
        return new ModelShape(name, layers, hiddenSize, intermediateSize, heads, keyValueHeads, headDim, vocabSize, tiedHead, queryKeyValueBias, queryKeyNorm,
                rmsNormEpsilon, paddedPrefill, rotaryDim, true);
    }

    public int queryDim() {
        return heads * headDim;
    }

    public int keyValueDim() {
        return keyValueHeads * headDim;
    }
}
