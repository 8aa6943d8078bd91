package dev.npuflow.workflow.lens;

import dev.npuflow.workflow.block.ModelEnds;
import dev.npuflow.workflow.block.Value;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/// What the reference's operators put out in one pass over the model: the prompt (step 0) or one decoded token.
final class ReferencePass {

    /// A value of a layer; the layer is −1 for one that belongs to none. The residual stream is the one that the layer leaves, of no layer the embedding.
    record Key(int layer, Value value) {

        /// As the value is called in plans; of the residual stream, what it is.
        String name() {
            return !value.equals(ModelEnds.STREAM) ? value.name() : layer < 0 ? "embedding" : "output";
        }

        String text() {
            return layer < 0 ? name() : "%s of layer %d".formatted(name(), layer);
        }
    }

    private final int step;
    private final int firstPosition;
    private final int positions;
    private final Map<Key, short[]> outputs = new LinkedHashMap<>();

    ReferencePass(int step, int firstPosition, int positions) {
        this.step = step;
        this.firstPosition = firstPosition;
        this.positions = positions;
    }

    int step() {
        return step;
    }

    int firstPosition() {
        return firstPosition;
    }

    int positions() {
        return positions;
    }

    /// Positions from the query's first to the last of this pass.
    int length() {
        return firstPosition + positions;
    }

    void put(Key key, short[] values) {
        outputs.put(key, values);
    }

    Optional<short[]> find(Key key) {
        return Optional.ofNullable(outputs.get(key));
    }

    /// bf16 values, row-major, a row a position; of the final norm and the logits only the last position.
    short[] get(Key key) {
        return find(key).orElseThrow(() -> new IllegalStateException("the reference showed no " + key.text()));
    }

    /// In the order in which they were made.
    Map<Key, short[]> outputs() {
        return outputs;
    }
}
