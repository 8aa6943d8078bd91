package dev.npuflow.npu.aie.gemm;

import static dev.npuflow.npu.aie.limit.Limit.limit;

import dev.npuflow.npu.aie.limit.HerdLimits;
import dev.npuflow.npu.aie.limit.LaunchSite;
import dev.npuflow.npu.aie.limit.Limit;
import dev.npuflow.npu.launch.LaunchDescription;
import java.util.List;
import java.util.function.ToLongFunction;

/// Where a GEMM can be placed, by its [GemmMethod]: at 64 × 128, fp32 sums and bf16 results together would need 72 KiB of L1.
/// Source: mlir-air's GEMM builders and kernel registry.
final class GemmLimits {

    private static final int STREAMS = 3;

    static final Limit ROWS_DIVIDE = divides("ROWS_DIVIDE", "M", "m", "tile_m * herd_m", s -> s.tile("tile_m") * s.herdColumns());
    static final Limit COLUMNS_DIVIDE = divides("COLUMNS_DIVIDE", "N", "n", "tile_n * herd_n", s -> s.tile("tile_n") * s.herdRows());
    static final Limit DEPTH_DIVIDES = divides("DEPTH_DIVIDES", "K", "k", "tile_k_l2", s -> s.tile("tile_k_l2"));

    static final Limit STAGES_DIVIDE = limit("STAGES_DIVIDE",
            s -> s.tile("tile_k_l2") % s.tile("tile_k_l1") != 0,
            s -> "tile_k_l2 (%d) must be divisible by tile_k_l1 (%d)".formatted(s.tile("tile_k_l2"), s.tile("tile_k_l1")),
            "an L2 panel goes to L1 in whole pieces", "Use a tile_k_l1 that divides tile_k_l2.");

    static final Limit BLOCK_DIVIDES = limit("BLOCK",
            s -> s.tile("tile_m") % block(s) != 0 || s.tile("tile_n") % block(s) != 0,
            s -> "tile_m (%d) and tile_n (%d) must be divisible by %d".formatted(s.tile("tile_m"), s.tile("tile_n"), block(s)),
            "the core's matrix unit works on register blocks of 16 x 16 outputs", "Use a tile_m and a tile_n that are multiples of 16.");

    /// Built, but the run ends in this state; a success here would be one that the hardware does not give.
    static final Limit HERD_ROWS = limit("HERD_ROWS",
            s -> s.herdRows() == 1,
            s -> "qds_device::wait() unexpected command state (GEMM on herd %d x 1)".formatted(s.herdColumns()),
            "a GEMM herd with one row builds and fails when it is run", "Use a herd with 2 or 4 rows.");

    static final Limit CORE_MEMORY = limit("L1_CAPACITY",
            s -> coreBytes(s) > s.coreMemory(),
            s -> "'aie.tile' op allocated buffers exceeded available memory (%dB > %dB, stack %dB)".formatted(
                    coreBytes(s) + s.device().array().stackBytes(), s.device().array().coreMemoryBytes(), s.device().array().stackBytes()),
            "a core's L1 holds its A and B pieces (twice with ping-pong), fp32 sums and, up to tile_m 32, the bf16 results",
            "Use a smaller tile_n or tile_k_l1.");

    /// Of all columns together: which memtile a panel is put in is the compiler's choice.
    static final Limit MEMTILE_MEMORY = limit("L2_CAPACITY",
            s -> panelBytes(s) > memtileBytes(s),
            s -> "L2 capacity exceeded: panels of %dB > %dB in %d memtiles".formatted(panelBytes(s), memtileBytes(s),
                    s.device().array().columns()),
            "the A, B and C panels of the herd are staged in the memtiles", "Use a smaller tile_k_l2.");

    /// The stride field counts 32-bit words. Taken so, it explains the builds on record: 128 × 10240, 128 × 14336 and 256 × 8192
    /// build, 256 × 11008 does not.
    static final Limit STRIDE = limit("STRIDE",
            s -> strideWords(s) > s.device().dma().maximumStride(),
            s -> "aie.dma_bd op Stride %d exceeds the [1:%d] range".formatted(strideWords(s), s.device().dma().maximumStride()),
            "a buffer descriptor's stride has 20 bits, and one step skips tile_k_l2 rows of n", "Use a smaller tile_k_l2.");

    /// Our own reckoning: a column's shim sends a panel of A, and one of B where the herd has a row for it, and takes one of C, for each block of C between two
    /// synchronizations. Tilings of 2 by 2 build on record; 4 by 4 would need 48 descriptors.
    static final Limit BUFFER_DESCRIPTORS = limit("BUFFER_DESCRIPTORS",
            s -> descriptors(s) > s.device().dma().shimBufferDescriptors(),
            s -> "Allocator exhausted available buffer descriptor IDs (loop tiling %d: %d of %d for the blocks between two synchronizations)".formatted(
                    s.elf().loopTiling(), descriptors(s), s.device().dma().shimBufferDescriptors()),
            "a shim has few buffer descriptors, and they are used again only after a synchronization", "Use a runtime loop tiling of 2.");

    static final List<Limit> ALL = List.of(HerdLimits.HERD_FITS, HERD_ROWS, ROWS_DIVIDE, COLUMNS_DIVIDE, DEPTH_DIVIDES, STAGES_DIVIDE,
            BLOCK_DIVIDES, CORE_MEMORY, MEMTILE_MEMORY, STRIDE, BUFFER_DESCRIPTORS);

    private GemmLimits() {}

    /// Other steps gave wrong results for some K on record and right ones for others.
    static List<String> warnings(LaunchDescription launch) {
        int step = launch.tile().get("tile_k_l2");
        return Integer.bitCount(step) == 1
                ? List.of()
                : List.of("%s: tile_k_l2 %d is no power of two; such steps silently corrupted some shapes on silicon".formatted(launch.name(), step));
    }

    private static Limit divides(String id, String label, String extent, String divisor, ToLongFunction<LaunchSite> by) {
        return limit(id, s -> s.shape(extent) % by.applyAsLong(s) != 0,
                s -> "%s (%d) must be divisible by %s (%d)".formatted(label, s.shape(extent), divisor, by.applyAsLong(s)),
                "tiles are whole: a remainder is computed wrongly or not at all", "Use a %s that divides %s.".formatted(divisor, extent));
    }

    private static long block(LaunchSite s) {
        return s.device().functions().gemmBlock();
    }

    private static long coreBytes(LaunchSite s) {
        long pieces = s.copies() * 2 * s.tile("tile_k_l1") * (s.tile("tile_m") + s.tile("tile_n"));
        long outputs = s.tile("tile_m") * s.tile("tile_n");
        return pieces + GemmMethod.of(s.launch(), s.device()).coreBytes() * outputs;
    }

    private static long panelBytes(LaunchSite s) {
        long rowsOfTiles = s.herdColumns() * s.tile("tile_m");
        long columnsOfTiles = s.herdRows() * s.tile("tile_n");
        return s.copies() * 2 * s.tile("tile_k_l2") * (rowsOfTiles + columnsOfTiles) + GemmMethod.of(s.launch(), s.device()).memtileBytes() * rowsOfTiles * columnsOfTiles;
    }

    private static long descriptors(LaunchSite s) {
        long down = Math.ceilDiv(s.shape("m"), s.tile("tile_m") * s.herdColumns());
        long across = Math.ceilDiv(s.shape("n"), s.tile("tile_n") * s.herdRows());
        return STREAMS * s.tilingOf(down) * s.tilingOf(across);
    }

    private static long memtileBytes(LaunchSite s) {
        return (long) s.device().array().columns() * s.device().array().memtileMemoryBytes();
    }

    private static long strideWords(LaunchSite s) {
        return s.tile("tile_k_l2") * s.shape("n") / 2;
    }
}
