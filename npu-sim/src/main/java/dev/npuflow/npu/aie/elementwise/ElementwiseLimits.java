package dev.npuflow.npu.aie.elementwise;

import static dev.npuflow.npu.aie.limit.Limit.limit;

import dev.npuflow.npu.aie.limit.HerdLimits;
import dev.npuflow.npu.aie.limit.LaunchSite;
import dev.npuflow.npu.aie.limit.Limit;
import java.util.List;

/// Where an element-wise kernel with two streams in and one out can be placed. Sources: mlir-air's builders of add and
/// SiLU·mul, and the placement sweeps of both on NPU2.
final class ElementwiseLimits {

    static final Limit TILE_DIVIDES = limit("TILE_DIVIDES",
            s -> s.shape("n") % tile(s) != 0,
            s -> "shape extent %d is not a multiple of tile %d".formatted(s.shape("n"), tile(s)),
            "tiles are whole", "Use a tile_n that divides n.");

    static final Limit CORES_DIVIDE = limit("CORES_DIVIDE",
            s -> s.shape("n") % (tile(s) * s.cores()) != 0,
            s -> "n (%d) must be divisible by tile_n * tiles (%d)".formatted(s.shape("n"), tile(s) * s.cores()),
            "every core works on the same number of whole tiles", "Use a smaller tile_n or herd: 192 elements are 4 cores x 48.");

    static final Limit LANES_DIVIDE = limit("VECTOR_WIDTH",
            s -> tile(s) % s.device().functions().lanes() != 0,
            s -> "tile_n (%d) must be divisible by %d (vector width)".formatted(tile(s), s.device().functions().lanes()),
            "the core's vector loop has no remainder", "Use a tile_n that is a multiple of 16, on a smaller herd if need be.");

    static final Limit CORE_MEMORY = limit("L1_CAPACITY",
            s -> bytes(s) > s.coreMemory(),
            s -> "'aie.tile' op allocated buffers exceeded available memory (%dB > %dB, stack %dB)".formatted(
                    bytes(s) + s.device().array().stackBytes(), s.device().array().coreMemoryBytes(), s.device().array().stackBytes()),
            "a core's L1 holds a tile of each of the three streams, twice with ping-pong", "Use a smaller tile_n.");

    /// Not monotonic in tile or herd, but in one line by the number of runs: of 16,777,216 elements without loop tiling, 1024 and
    /// 2048 runs (tile 4096 on 4 and 2 cores, 2048 and 1024 on 8) were refused; 512, 4096 and 8192 built, and with loop tiling
    /// all. Tiles below 1024 were never seen to fail.
    static final Limit BUFFER_DESCRIPTORS = limit("BUFFER_DESCRIPTORS",
            s -> s.elf().loopTiling() == 1 && tile(s) >= s.device().functions().unrolledTile() && s.cores() > 1 && runs(s) > s.device().dma().maximumWrap()
                    && runs(s) <= s.device().functions().unrolledRuns(),
            s -> "Allocator exhausted available buffer descriptor IDs (%d runs of tile_n %d on %d cores)".formatted(runs(s), tile(s), s.cores()),
            "a shim has few buffer descriptors: runs beyond one wrap dimension are unrolled into more of them",
            "Use runtime loop tiling, or a tile_n and a herd that make at most 1023 runs.");

    /// In the order in which the tool chain meets them.
    static final List<Limit> ALL = List.of(HerdLimits.HERD_FITS, TILE_DIVIDES, CORES_DIVIDE, LANES_DIVIDE, CORE_MEMORY,
            HerdLimits.shimChannels(2, 1), BUFFER_DESCRIPTORS);

    private ElementwiseLimits() {}

    private static long tile(LaunchSite s) {
        return s.tile("tile_n");
    }

    private static long runs(LaunchSite s) {
        return s.shape("n") / (tile(s) * s.cores());
    }

    private static long bytes(LaunchSite s) {
        return s.copies() * 3 * 2 * tile(s);
    }
}
