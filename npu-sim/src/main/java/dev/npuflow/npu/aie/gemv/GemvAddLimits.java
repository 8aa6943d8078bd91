package dev.npuflow.npu.aie.gemv;

import static dev.npuflow.npu.aie.limit.Limit.limit;

import dev.npuflow.npu.aie.limit.HerdLimits;
import dev.npuflow.npu.aie.limit.LaunchSite;
import dev.npuflow.npu.aie.limit.Limit;
import dev.npuflow.npu.aie.limit.RowSteps;
import java.util.List;

/// Where a GEMV with addition can be placed. Source: mlir-air's builder of matvec_2tile_add, tiles of 8 rows by 512 of k on 8 columns; texts of the
/// limits that are not its own are those of GEMV.
final class GemvAddLimits {

    static final Limit TWO_ROWS = limit("HERD_ROWS", s -> s.herdRows() != 2,
            s -> "herd shape mismatch: herd %d x %d, this kernel is built for herd h x 2".formatted(s.herdColumns(), s.herdRows()),
            "one core of a column multiplies, the one beside it adds", s -> "Use a herd of %d x 2.".formatted(s.herdColumns()));

    static final Limit CHUNK_DIVIDES = limit("VECTOR_WIDTH", s -> s.shape("k") % chunk(s) != 0,
            s -> "K (%d) must be divisible by %d".formatted(s.shape("k"), chunk(s)),
            "matrix and vector come to L1 in chunks", s -> "Use gemv and eltwise_add, or pad k to a multiple of %d.".formatted(chunk(s)));

    static final Limit EVEN_TILE = limit("GRANULARITY", s -> s.tile("tile_m") % 2 != 0,
            s -> "tile_m (%d) must be even: C of %d bytes is no multiple of %d".formatted(s.tile("tile_m"), 2 * s.tile("tile_m"),
                    s.device().dma().granularityBytes()),
            "a DMA moves 32-bit words", "Use an even tile_m.");

    static final Limit MEMTILE_PANEL = limit("L2_CAPACITY", s -> s.copies() * panel(s) > s.device().array().memtileMemoryBytes(),
            s -> "L2 capacity exceeded: A=%dB + C=%dB = %dB > %dB. Reduce tile_m (%d), or k (%d).".formatted(s.copies() * (panel(s) - outBytes(s)),
                    s.copies() * outBytes(s), s.copies() * panel(s), s.device().array().memtileMemoryBytes(), s.tile("tile_m"), s.shape("k")),
            "a column's A and C panels are staged in its memtile, twice with ping-pong", "Use a smaller tile_m, or switch ping-pong off.");

    static final Limit CORE_MEMORY = limit("L1_CAPACITY", s -> s.copies() * buffers(s) > s.coreMemory(),
            s -> "'aie.tile' op allocated buffers exceeded available memory (%dB > %dB, stack %dB)".formatted(
                    s.copies() * buffers(s) + s.device().array().stackBytes(), s.device().array().coreMemoryBytes(), s.device().array().stackBytes()),
            "a core's L1 holds a chunk of the matrix, of the vector, and the results", "Use a smaller tile_m, or switch ping-pong off.");

    static final List<Limit> ALL = List.of(HerdLimits.HERD_FITS, TWO_ROWS, RowSteps.ROWS_DIVIDE, CHUNK_DIVIDES, EVEN_TILE, MEMTILE_PANEL, CORE_MEMORY, RowSteps.REPEAT);

    private GemvAddLimits() {}

    private static long chunk(LaunchSite s) {
        return s.device().functions().gemvAddChunk();
    }

    private static long outBytes(LaunchSite s) {
        return 2 * s.tile("tile_m");
    }

    private static long panel(LaunchSite s) {
        return 2 * s.tile("tile_m") * s.shape("k") + outBytes(s);
    }

    private static long buffers(LaunchSite s) {
        return 2 * (s.tile("tile_m") * chunk(s) + chunk(s) + 2 * s.tile("tile_m"));
    }
}
