package dev.npuflow.npu.aie.rows;

import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.aie.placement.Sizes;
import dev.npuflow.npu.machine.Tiling;
import java.util.Map;
import java.util.stream.Stream;

/// Herds of one row whose cores divide a launch's rows.
final class RowHerds {

    private RowHerds() {}

    static Stream<Tiling> of(Map<String, Integer> shape, AieHardware device) {
        return Sizes.columns(shape.get("rows"), device).mapToObj(columns -> Tiling.of(columns, 1, Map.of()));
    }
}
