package dev.npuflow.workflow.host;

import java.util.Arrays;

/// Keys and values of one query, bf16, per layer (kv_heads, positions, head_dim) as upstream keeps them on the host. Grows by doubling.
public final class KeyValueCache {

    private final int keyValueHeads;
    private final int headDim;
    private final short[][] keys;
    private final short[][] values;
    private final int[] lengths;
    private int capacity = 64;

    public KeyValueCache(int layers, int keyValueHeads, int headDim) {
        this.keyValueHeads = keyValueHeads;
        this.headDim = headDim;
        keys = new short[layers][keyValueHeads * capacity * headDim];
        values = new short[layers][keyValueHeads * capacity * headDim];
        lengths = new int[layers];
    }

    public void clear() {
        Arrays.fill(lengths, 0);
    }

    /// Positions held for a layer.
    public int length(int layer) {
        return lengths[layer];
    }

    /// Appends one position's heads, both (kv_heads, head_dim), from element `offset` of the given arrays on.
    public void append(int layer, short[] key, short[] value, int offset) {
        if (lengths[layer] == capacity) {
            grow();
        }
        for (int head = 0; head < keyValueHeads; head++) {
            int at = at(head, lengths[layer]);
            System.arraycopy(key, offset + head * headDim, keys[layer], at, headDim);
            System.arraycopy(value, offset + head * headDim, values[layer], at, headDim);
        }
        lengths[layer]++;
    }

    short[] keys(int layer) {
        return keys[layer];
    }

    short[] values(int layer) {
        return values[layer];
    }

    /// Index of a head's row at a position in [#keys] and [#values].
    int at(int head, int position) {
        return (head * capacity + position) * headDim;
    }

    private void grow() {
        int doubled = Math.multiplyExact(capacity, 2);
        for (int layer = 0; layer < keys.length; layer++) {
            keys[layer] = spread(keys[layer], doubled);
            values[layer] = spread(values[layer], doubled);
        }
        capacity = doubled;
    }

    private short[] spread(short[] rows, int doubled) {
        short[] spread = new short[keyValueHeads * doubled * headDim];
        for (int head = 0; head < keyValueHeads; head++) {
            System.arraycopy(rows, head * capacity * headDim, spread, head * doubled * headDim, capacity * headDim);
        }
        return spread;
    }
}
