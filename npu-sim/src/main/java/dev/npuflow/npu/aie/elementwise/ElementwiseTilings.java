package dev.npuflow.npu.aie.elementwise;

import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.aie.placement.Sizes;
import dev.npuflow.npu.machine.Tiling;
import java.util.Map;
import java.util.stream.Stream;

/// Herds of one row and tiles of whole vectors.
final class ElementwiseTilings {

    private ElementwiseTilings() {}

    static Stream<Tiling> of(int n, AieHardware device) {
        return Sizes.columns(n, device).boxed().flatMap(columns -> Sizes.vectors(n / columns, device.tiles().elementwise(), device)
                .mapToObj(tile -> Tiling.of(columns, 1, Map.of("tile_n", tile))));
    }

    static String divisible(AieHardware device) {
        return "n that is a multiple of %d".formatted(device.functions().lanes());
    }
}
