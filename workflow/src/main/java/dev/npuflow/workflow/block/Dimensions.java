package dev.npuflow.workflow.block;

import dev.npuflow.plan.ModelShape;

/// The widths of one model.
///
/// @param vocabulary ids, one row of the embedding each
public record Dimensions(int hidden, int intermediate, int heads, int keyValueHeads, int headDim, int vocabulary) {

    /// Of a plan's model.
    public static Dimensions of(ModelShape model) {
        return new Dimensions(model.hiddenSize(), model.intermediateSize(), model.heads(), model.keyValueHeads(), model.headDim(), model.vocabSize());
    }

    /// Elements.
    public int of(Extent extent) {
        return switch (extent) {
            case ONE -> 1;
            case HIDDEN -> hidden;
            case INTERMEDIATE -> intermediate;
            case QUERY -> heads * headDim;
            case KEY_VALUE -> keyValueHeads * headDim;
            case HEAD -> headDim;
            case VOCABULARY -> vocabulary;
        };
    }

    /// Elements of a value, one position.
    public int of(Value value) {
        return of(value.width());
    }

    /// Heads that lie side by side in a value; 0 where it has none.
    public int heads(Value value) {
        return switch (value.width()) {
            case QUERY -> heads;
            case KEY_VALUE -> keyValueHeads;
            case ONE, HIDDEN, INTERMEDIATE, HEAD, VOCABULARY -> 0;
        };
    }
}
