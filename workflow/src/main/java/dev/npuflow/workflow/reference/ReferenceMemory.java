package dev.npuflow.workflow.reference;

import dev.npuflow.workflow.model.ModelConfig;

/// What [ReferenceEngine] holds on Java's heap, by what it allocates. Weights are mapped and not counted here.
///
/// @param cache bytes of keys and values
/// @param pass  bytes of the largest set of activations that live at once, in the feed-forward of the prompt
public record ReferenceMemory(long cache, long pass) {

    /// Keys and values are copied into arrays of twice the length when they grow, as the first token after a prompt makes them.
    private static final int GROWTH = 2;

    /// @param prompt    positions read at once
    /// @param positions of the whole text
    public static ReferenceMemory of(ModelConfig config, int prompt, int positions) {
        long cached = 2L * config.layers() * config.keyValueDim() * Float.BYTES * positions * GROWTH;
        long hidden = 4L * config.hiddenSize();
        long gateUpAndProduct = 3L * config.intermediateSize();
        long packed = (long) Short.BYTES * config.intermediateSize();
        return new ReferenceMemory(cached, prompt * ((hidden + gateUpAndProduct) * Float.BYTES + packed));
    }
}
