package dev.npuflow.workflow.model;

import java.util.OptionalInt;

/// What a class of transformers takes for a field that config.json leaves out. What no published checkpoint leaves out (layers, widths, heads, vocabulary)
/// has defaults there too, of a 7 B model; it is required here, so that a cut file is not run on guesses.
///
/// Source: `LlamaConfig`, `MistralConfig`, `Qwen2Config` and `Qwen3Config` of transformers 4.57 and 5 (configuration_llama.py and so on).
///
/// @param keyValueHeads    empty: as many as heads
/// @param headDim          empty: hidden size by heads
/// @param maximumPositions `max_position_embeddings`
/// @param slidingWindow    empty: the class knows no window
/// @param windowIsSwitched whether the window is on only with `use_sliding_window`, which is false, and only from layer `firstWindowLayer` on
/// @param firstWindowLayer `max_window_layers`
/// @param bosTokenId       empty: none
/// @param eosTokenId       empty: none
record ClassDefaults(OptionalInt keyValueHeads, OptionalInt headDim, int maximumPositions, OptionalInt slidingWindow, boolean windowIsSwitched,
        int firstWindowLayer, OptionalInt bosTokenId, OptionalInt eosTokenId) {

    /// The same in all four classes.
    static final double RMS_NORM_EPSILON = 1e-6;
    static final double ROPE_THETA = 10_000;
    static final String HIDDEN_ACTIVATION = "silu";
    /// `tie_word_embeddings`, `attention_bias`, `mlp_bias`, `use_sliding_window`: null is false too.
    static final boolean FLAG = false;

    static ClassDefaults of(Architecture family) {
        OptionalInt none = OptionalInt.empty();
        return switch (family) {
            case LLAMA -> new ClassDefaults(none, none, 2048, none, false, 0, OptionalInt.of(1), OptionalInt.of(2));
            case MISTRAL -> new ClassDefaults(OptionalInt.of(8), none, 131_072, OptionalInt.of(4096), false, 0, OptionalInt.of(1), OptionalInt.of(2));
            case QWEN2 -> new ClassDefaults(OptionalInt.of(32), none, 32_768, OptionalInt.of(4096), true, 28, none, none);
            case QWEN3 -> new ClassDefaults(OptionalInt.of(32), OptionalInt.of(128), 32_768, OptionalInt.of(4096), true, 28, none, none);
        };
    }
}
