package dev.npuflow.workflow.reference;

import java.util.Arrays;

/// Keys (rotated) and values of one layer, positions × width, each a bf16 value. Grows by doubling.
final class KeyValueCache {

    private final int width;
    private float[] keys = {};
    private float[] values = {};

    KeyValueCache(int width) {
        this.width = width;
    }

    /// Writes positions from `firstPosition` on; what stood there, of an earlier query, is overwritten.
    void put(int firstPosition, float[] newKeys, float[] newValues) {
        int end = Math.addExact(Math.multiplyExact(firstPosition, width), newKeys.length);
        if (end > keys.length) {
            int capacity = (int) Math.max(end, Math.min(2L * keys.length, Integer.MAX_VALUE - 8L));
            keys = Arrays.copyOf(keys, capacity);
            values = Arrays.copyOf(values, capacity);
        }
        System.arraycopy(newKeys, 0, keys, firstPosition * width, newKeys.length);
        System.arraycopy(newValues, 0, values, firstPosition * width, newValues.length);
    }

    float[] keys() {
        return keys;
    }

    float[] values() {
        return values;
    }

    int width() {
        return width;
    }
}
