package dev.npuflow.npu.launch;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// One kernel on one herd.
///
/// @param symbol    linked name of the core function
/// @param shape     extents by name; `positions`, where present, is the padded number of token positions that the rows stand for
/// @param constants compile-time constants by name
/// @param tile      tile configuration by name
/// @param ports     port name to argument
public record LaunchDescription(String name, KernelId kernel, String symbol, SortedMap<String, Integer> shape,
        SortedMap<String, Double> constants, int herdColumns, int herdRows, SortedMap<String, Integer> tile, SortedMap<String, PortBinding> ports) {

    public LaunchDescription {
        shape = Collections.unmodifiableSortedMap(new TreeMap<>(shape));
        constants = Collections.unmodifiableSortedMap(new TreeMap<>(constants));
        tile = Collections.unmodifiableSortedMap(new TreeMap<>(tile));
        ports = Collections.unmodifiableSortedMap(new TreeMap<>(ports));
    }

    /// `elements` elements of argument number `argument`, from element `offset` on.
    public record PortBinding(int argument, long offset, long elements) {}

    public int cores() {
        return herdColumns * herdRows;
    }
}
