package dev.npuflow.workflow.lens;

import dev.npuflow.workflow.reference.Operator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What the reference's operators put out in one pass over the model: the prompt (step 0) or one decoded token.
final class ReferencePass {

    /// An operator of a layer; the layer is −1 for one that belongs to none.
    record Key(int layer, Operator operator) implements Comparable<Key> {
        @Override public int compareTo(Key other) {
            return layer != other.layer ? Integer.compare(layer, other.layer) : operator.compareTo(other.operator);
        }

        String text() {
            return layer < 0 ? operator.text() : "%s of layer %d".formatted(operator.text(), layer);
        }
    }

    private final int step;
    private final int firstPosition;
    private final int positions;
    private final Map<Key, short[]> outputs = new TreeMap<>();

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

    Map<Key, short[]> outputs() {
        return outputs;
    }
}
