package dev.npuflow.workflow.family;

import java.util.OptionalInt;

/// What a class of transformers takes for a field that config.json leaves out. What no published checkpoint leaves out (layers, widths, heads, vocabulary)
/// has defaults there too, of a 7 B model; it is required here, so that a cut file is not run on guesses.
///
/// @param keyValueHeads    empty: as many as heads
/// @param headDim          empty: hidden size by heads
/// @param maximumPositions `max_position_embeddings`
/// @param rmsNormEpsilon   `rms_norm_eps`
/// @param bosTokenId       empty: none
/// @param eosTokenId       empty: none
public record ClassDefaults(OptionalInt keyValueHeads, OptionalInt headDim, int maximumPositions, SlidingWindow slidingWindow, double rmsNormEpsilon,
        OptionalInt bosTokenId, OptionalInt eosTokenId) {

    /// The same in all classes.
    public static final double ROPE_THETA = 10_000;
    public static final String HIDDEN_ACTIVATION = "silu";
    /// `tie_word_embeddings`, `attention_bias`, `mlp_bias`, `use_sliding_window`: null is false too.
    public static final boolean FLAG = false;

    /// A class with as many key/value heads as heads, a derived head dimension and no window, which knows no ids of its own.
    public static ClassDefaults plain(int maximumPositions, double rmsNormEpsilon) {
        OptionalInt none = OptionalInt.empty();
        return new ClassDefaults(none, none, maximumPositions, new SlidingWindow.Unknown(), rmsNormEpsilon, none, none);
    }

    public ClassDefaults withHeads(OptionalInt newKeyValueHeads, OptionalInt newHeadDim) {
        return new ClassDefaults(newKeyValueHeads, newHeadDim, maximumPositions, slidingWindow, rmsNormEpsilon, bosTokenId, eosTokenId);
    }

    public ClassDefaults withWindow(SlidingWindow window) {
        return new ClassDefaults(keyValueHeads, headDim, maximumPositions, window, rmsNormEpsilon, bosTokenId, eosTokenId);
    }

    public ClassDefaults withIds(OptionalInt bos, OptionalInt eos) {
        return new ClassDefaults(keyValueHeads, headDim, maximumPositions, slidingWindow, rmsNormEpsilon, bos, eos);
    }

    /// A window in a class's configuration.
    public sealed interface SlidingWindow {

        /// `sliding_window`; empty: none.
        OptionalInt size();

        /// The class does not read the field.
        record Unknown() implements SlidingWindow {
            @Override public OptionalInt size() {
                return OptionalInt.empty();
            }
        }

        /// On in every layer, whatever `layer_types` says.
        record Always(int positions) implements SlidingWindow {
            @Override public OptionalInt size() {
                return OptionalInt.of(positions);
            }
        }

        /// On in the layers of `layer_types`, or, where that is missing, only with `use_sliding_window`, which is false, and only from a layer on.
        ///
        /// @param firstLayer `max_window_layers`
        record Switched(int positions, int firstLayer) implements SlidingWindow {
            @Override public OptionalInt size() {
                return OptionalInt.of(positions);
            }
        }
    }
}
