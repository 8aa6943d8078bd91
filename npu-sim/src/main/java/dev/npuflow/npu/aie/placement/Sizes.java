package dev.npuflow.npu.aie.placement;

import dev.npuflow.npu.aie.array.AieHardware;
import java.util.stream.IntStream;

/// Sizes that divide an extent, largest first.
public final class Sizes {

    private Sizes() {}

    /// Columns of a herd: the largest that is tried, its half, and so on.
    public static IntStream columns(int extent, AieHardware device) {
        return IntStream.iterate(device.tiles().herdColumns(), columns -> columns >= 1, columns -> columns / 2).filter(columns -> extent % columns == 0);
    }

    public static IntStream divisors(int extent, int largest) {
        return IntStream.iterate(Math.min(extent, largest), size -> size >= 1, size -> size - 1).filter(size -> extent % size == 0);
    }

    /// Divisors that are whole vectors.
    public static IntStream vectors(int extent, int largest, AieHardware device) {
        return divisors(extent, largest).filter(size -> size % device.functions().lanes() == 0);
    }

    /// Powers of two that divide the extent and are at least one vector.
    public static IntStream powersOfTwo(int extent, int largest, AieHardware device) {
        return IntStream.iterate(Integer.highestOneBit(largest), size -> size >= device.functions().lanes(), size -> size / 2)
                .filter(size -> extent % size == 0);
    }
}
