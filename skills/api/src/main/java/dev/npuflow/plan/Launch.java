package dev.npuflow.plan;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// One kernel on one herd.
///
/// The kernels, with their `shape` and `tile` keys and their ports, are listed in `docs/kernels.md`. A `shape` key
/// `positions` says that rows are token positions padded to that number.
///
/// @param name      unique within the call
/// @param kernel    kernel id, such as `gemv`
/// @param symbol    linked name of the core function; two different tilings under one symbol in an ELF clash
/// @param shape     extents by name
/// @param constants compile-time constants by name, such as `epsilon`
/// @param tile      tile configuration by name
/// @param inputs    port to operand, read
/// @param outputs   port to operand, written; a port in both is read and written
public record Launch(String name, String kernel, String symbol, SortedMap<String, Integer> shape, SortedMap<String, Double> constants,
        Herd herd, SortedMap<String, Integer> tile, SortedMap<String, Operand> inputs, SortedMap<String, Operand> outputs) {

    public Launch {
        shape = Collections.unmodifiableSortedMap(new TreeMap<>(shape));
        constants = Collections.unmodifiableSortedMap(new TreeMap<>(constants));
        tile = Collections.unmodifiableSortedMap(new TreeMap<>(tile));
        inputs = Collections.unmodifiableSortedMap(new TreeMap<>(inputs));
        outputs = Collections.unmodifiableSortedMap(new TreeMap<>(outputs));
    }

    public Launch withName(String changed) {
        return new Launch(changed, kernel, symbol, shape, constants, herd, tile, inputs, outputs);
    }

    public Launch withSymbol(String changed) {
        return new Launch(name, kernel, changed, shape, constants, herd, tile, inputs, outputs);
    }

    public Launch withTile(Herd changedHerd, SortedMap<String, Integer> changedTile) {
        return new Launch(name, kernel, symbol, shape, constants, changedHerd, changedTile, inputs, outputs);
    }

    public Launch withOperands(SortedMap<String, Operand> changedInputs, SortedMap<String, Operand> changedOutputs) {
        return new Launch(name, kernel, symbol, shape, constants, herd, tile, changedInputs, changedOutputs);
    }
}
