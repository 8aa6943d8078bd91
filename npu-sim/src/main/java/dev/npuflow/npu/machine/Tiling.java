package dev.npuflow.npu.machine;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Cores and tile sizes that a launch may be given.
///
/// @param tile by the names of [DeviceDescription#tileSizes]
public record Tiling(int herdColumns, int herdRows, SortedMap<String, Integer> tile) {

    public Tiling {
        tile = Collections.unmodifiableSortedMap(new TreeMap<>(tile));
    }

    public static Tiling of(int herdColumns, int herdRows, Map<String, Integer> tile) {
        return new Tiling(herdColumns, herdRows, new TreeMap<>(tile));
    }
}
