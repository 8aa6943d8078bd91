package dev.npuflow.workflow.lowering;

import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The LM head, partitioned over the vocabulary: as few parts as place.
///
/// All parts but the last have the largest power of two of rows that places: loop tiling then divides the trip count and the tile stays
/// the largest one. Parts that place with ping-pong are preferred to larger ones that do not. The last part has only its
/// real rows: an invented zero row would win the argmax over negative logits (reference
/// document §I.6).
final class LanguageHead {

    private static final int SMALLEST_PART = 16;

    private final ModelShape model;
    private final BaselineCalls calls;
    private final TileChooser tiles;

    LanguageHead(ModelShape model, BaselineCalls calls, TileChooser tiles) {
        this.model = model;
        this.calls = calls;
        this.tiles = tiles;
    }

    /// `x` → values `logits_0`, `logits_1` …
    List<NpuCall> partitions(String x) {
        for (boolean pingPong : new boolean[] {true, false}) {
            for (int rows = Integer.highestOneBit(model.vocabSize()); rows >= SMALLEST_PART; rows /= 2) {
                Optional<List<NpuCall>> placed = partitions(x, rows, pingPong);
                if (placed.isPresent()) {
                    return placed.get();
                }
            }
        }
        return List.of(tiles.choose(part(x, 0, 0, model.vocabSize())));
    }

    private Optional<List<NpuCall>> partitions(String x, int rows, boolean pingPong) {
        List<NpuCall> placed = new ArrayList<>();
        for (int first = 0; first < model.vocabSize(); first += rows) {
            Optional<NpuCall> part = tiles.choose(part(x, placed.size(), first, Math.min(rows, model.vocabSize() - first)), pingPong);
            if (part.isEmpty()) {
                return Optional.empty();
            }
            placed.add(part.get());
        }
        return Optional.of(List.copyOf(placed));
    }

    private NpuCall part(String x, int index, int firstRow, int rows) {
        return calls.gemv("lm_head_" + index, x, "lm_head.weight", firstRow, rows, model.hiddenSize(), "logits_" + index);
    }
}
