package dev.npuflow.workflow.model;

import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.block.Dimensions;
import java.util.List;
import java.util.OptionalInt;

/// What config.json and generation_config.json say of a supported model, resolved: no field is left to guess.
///
/// @param block       what a layer is made of
/// @param eosTokenIds all ids that end a generation, ascending
/// @param maximumPositions the longest text: `max_position_embeddings`, or what a dynamic rope scaling makes of it
/// @param rope        rotary embedding, scaling applied
public record ModelConfig(Architecture architecture, int layers, int hiddenSize, int intermediateSize, int heads, int keyValueHeads, int headDim,
        int vocabSize, boolean tiedHead, Block block, float rmsNormEpsilon, int maximumPositions, Rope rope, List<Integer> eosTokenIds, OptionalInt bosTokenId) {

    public ModelConfig {
        eosTokenIds = List.copyOf(eosTokenIds);
    }

    public Vocabulary vocabulary() {
        return new Vocabulary(vocabSize);
    }

    public Dimensions dimensions() {
        return new Dimensions(hiddenSize, intermediateSize, heads, keyValueHeads, headDim, vocabSize);
    }

    public ModelConfig withEpsilon(float changed) {
        return new ModelConfig(architecture, layers, hiddenSize, intermediateSize, heads, keyValueHeads, headDim, vocabSize, tiedHead, block, changed,
                maximumPositions, rope, eosTokenIds, bosTokenId);
    }

    public ModelConfig withRope(Rope changed) {
        return new ModelConfig(architecture, layers, hiddenSize, intermediateSize, heads, keyValueHeads, headDim, vocabSize, tiedHead, block, rmsNormEpsilon,
                maximumPositions, changed, eosTokenIds, bosTokenId);
    }

    public int queryDim() {
        return heads * headDim;
    }

    public int keyValueDim() {
        return keyValueHeads * headDim;
    }
}
