package dev.npuflow.workflow.lowering.aie;

import dev.npuflow.npu.aie.array.TileRules;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.lowering.TileChooser;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The LM head, partitioned over the vocabulary: as few parts as place.
///
/// All parts but the last have the largest power of two of rows that places: loop tiling then divides the trip count and the tile stays
/// the largest one. Parts that place with ping-pong are preferred to larger ones that do not. The last part has only its
/// real rows (docs/upstream.md, "Where npuflow differs", 6), except where these cannot be dealt to all columns in even tiles: then it is filled up with zero rows, and the
/// host reads no logit beyond the vocabulary, so that no zero wins over negative logits.
final class LanguageHead {

    private final ModelShape model;
    private final BaselineCalls calls;
    private final TileChooser tiles;
    /// All columns, tiles of an even number of rows.
    private final int dealtRows;
    private final int rows;

    LanguageHead(ModelShape model, BaselineCalls calls, TileChooser tiles, TileRules rules) {
        this.model = model;
        this.calls = calls;
        this.tiles = tiles;
        this.dealtRows = 2 * rules.herdColumns();
        this.rows = rows(model.vocabSize(), rules.herdColumns() * rules.gemvRows());
    }

    /// @param whole rows of a tile in every column
    private int rows(int vocabulary, int whole) {
        return vocabulary % dealtRows == 0 ? vocabulary : Math.ceilDiv(vocabulary, whole) * whole;
    }

    /// `x` → values `logits_0`, `logits_1` …
    List<NpuCall> partitions(String x) {
        for (boolean pingPong : new boolean[] {true, false}) {
            for (int partRows = Integer.highestOneBit(rows); partRows >= dealtRows; partRows /= 2) {
                Optional<List<NpuCall>> placed = partitions(x, partRows, pingPong);
                if (placed.isPresent()) {
                    return placed.get();
                }
            }
        }
        return List.of(tiles.choose(part(x, 0, 0, rows)));
    }

    private Optional<List<NpuCall>> partitions(String x, int partRows, boolean pingPong) {
        List<NpuCall> placed = new ArrayList<>();
        for (int first = 0; first < rows; first += partRows) {
            Optional<NpuCall> part = tiles.choose(part(x, placed.size(), first, Math.min(partRows, rows - first)), pingPong);
            if (part.isEmpty()) {
                return Optional.empty();
            }
            placed.add(part.get());
        }
        return Optional.of(List.copyOf(placed));
    }

    private NpuCall part(String x, int index, int firstRow, int partRows) {
        return calls.gemv("lm_head_" + index, x, ModelEnds.HEAD.tensor(), firstRow, partRows, model.hiddenSize(), "logits_" + index);
    }
}
