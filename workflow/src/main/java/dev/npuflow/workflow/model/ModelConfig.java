package dev.npuflow.workflow.model;

import java.util.List;
import java.util.OptionalInt;

/// What config.json and generation_config.json say of a supported model, resolved: no field is left to guess.
///
/// @param outputBias  whether O has a bias, as Q, K and V then have
/// @param eosTokenIds all ids that end a generation, ascending
/// @param maximumPositions the longest text: `max_position_embeddings`, or what a dynamic rope scaling makes of it
/// @param rope        rotary embedding, scaling applied
public record ModelConfig(Architecture architecture, int layers, int hiddenSize, int intermediateSize, int heads, int keyValueHeads, int headDim,
        int vocabSize, boolean tiedHead, boolean queryKeyValueBias, boolean outputBias, boolean queryKeyNorm, float rmsNormEpsilon,
        int maximumPositions, Rope rope, List<Integer> eosTokenIds, OptionalInt bosTokenId) {

    public ModelConfig {
        eosTokenIds = List.copyOf(eosTokenIds);
    }

    public Vocabulary vocabulary() {
        return new Vocabulary(vocabSize);
    }

    public int queryDim() {
        return heads * headDim;
    }

    public int keyValueDim() {
        return keyValueHeads * headDim;
    }
}
