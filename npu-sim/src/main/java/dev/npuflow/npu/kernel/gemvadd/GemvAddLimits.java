package dev.npuflow.npu.kernel.gemvadd;

import static dev.npuflow.npu.kernel.limit.Limit.limit;

import dev.npuflow.npu.kernel.limit.HerdLimits;
import dev.npuflow.npu.kernel.limit.LaunchSite;
import dev.npuflow.npu.kernel.limit.Limit;
import java.util.List;

/// Where a GEMV with addition can be placed. Source: mlir-air's builder of matvec_2tile_add, tiles of 8 rows by 512 of k on 8 columns; texts of the
/// limits that are not its own are those of GEMV.
final class GemvAddLimits {

    private static final int CHUNK = 512;

    static final Limit TWO_ROWS = limit("HERD_ROWS", s -> s.herdRows() != 2,
            s -> "herd shape mismatch: herd %d x %d, this kernel is built for herd h x 2".formatted(s.herdColumns(), s.herdRows()),
            "one core of a column multiplies, the one beside it adds", s -> "herd %d x 2".formatted(s.herdColumns()));

    static final Limit ROWS_DIVIDE = limit("ROWS_DIVIDE", s -> s.shape("m") % step(s) != 0,
            s -> "M (%d) must be divisible by tile_m * columns (%d)".formatted(s.shape("m"), step(s)),
            "every column computes the same number of whole tiles", "fewer columns or a smaller tile_m");

    static final Limit CHUNK_DIVIDES = limit("VECTOR_WIDTH", s -> s.shape("k") % CHUNK != 0,
            s -> "K (%d) must be divisible by %d".formatted(s.shape("k"), CHUNK),
            "matrix and vector come to L1 in chunks of 512", "gemv and eltwise_add, or a k padded to a multiple of 512");

    static final Limit EVEN_TILE = limit("GRANULARITY", s -> s.tile("tile_m") % 2 != 0,
            s -> "tile_m (%d) must be even: C of %d bytes is no multiple of %d".formatted(s.tile("tile_m"), 2 * s.tile("tile_m"),
                    s.device().dma().granularityBytes()),
            "a DMA moves 32-bit words", "an even tile_m");

    static final Limit MEMTILE_PANEL = limit("L2_CAPACITY", s -> s.copies() * panel(s) > s.device().array().memtileMemoryBytes(),
            s -> "L2 capacity exceeded: A=%dB + C=%dB = %dB > %dB. Reduce tile_m (%d), or k (%d).".formatted(s.copies() * (panel(s) - outBytes(s)),
                    s.copies() * outBytes(s), s.copies() * panel(s), s.device().array().memtileMemoryBytes(), s.tile("tile_m"), s.shape("k")),
            "a column's A and C panels are staged in its memtile, twice with ping-pong", "a smaller tile_m, or no ping-pong");

    static final Limit CORE_MEMORY = limit("L1_CAPACITY", s -> s.copies() * buffers(s) > s.coreMemory(),
            s -> "'aie.tile' op allocated buffers exceeded available memory (%dB > %dB, stack %dB)".formatted(
                    s.copies() * buffers(s) + s.device().array().stackBytes(), s.device().array().coreMemoryBytes(), s.device().array().stackBytes()),
            "a core's L1 holds a chunk of the matrix, of the vector, and the results", "a smaller tile_m, or no ping-pong");

    static final Limit REPEAT = limit("REPEAT", s -> repeat(s) > s.device().dma().maximumRepeat(),
            s -> "'aiex.npu.push_queue' op Repeat count exceeds [0:%d] (M=%d: %d runs of tile_m*columns=%d, repeat %d)".formatted(
                    s.device().dma().maximumRepeat(), s.shape("m"), runs(s), step(s), repeat(s)),
            "a DMA task's repeat field has 8 bits and holds runs minus one", "runtime loop tiling, a larger tile_m, or a partition of m");

    static final List<Limit> ALL = List.of(HerdLimits.HERD_FITS, TWO_ROWS, ROWS_DIVIDE, CHUNK_DIVIDES, EVEN_TILE, MEMTILE_PANEL, CORE_MEMORY, REPEAT);

    private GemvAddLimits() {}

    private static long step(LaunchSite s) {
        return s.tile("tile_m") * s.herdColumns();
    }

    private static long runs(LaunchSite s) {
        return Math.ceilDiv(s.shape("m"), step(s));
    }

    private static long repeat(LaunchSite s) {
        return runs(s) / s.tilingOf(runs(s)) - 1;
    }

    private static long outBytes(LaunchSite s) {
        return 2 * s.tile("tile_m");
    }

    private static long panel(LaunchSite s) {
        return 2 * s.tile("tile_m") * s.shape("k") + outBytes(s);
    }

    private static long buffers(LaunchSite s) {
        return 2 * (s.tile("tile_m") * CHUNK + CHUNK + 2 * s.tile("tile_m"));
    }
}
