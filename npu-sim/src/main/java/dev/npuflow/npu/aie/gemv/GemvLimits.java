package dev.npuflow.npu.aie.gemv;

import static dev.npuflow.npu.aie.limit.Limit.limit;

import dev.npuflow.npu.aie.limit.HerdLimits;
import dev.npuflow.npu.aie.limit.LaunchSite;
import dev.npuflow.npu.aie.limit.Limit;
import java.util.List;

/// Where a GEMV can be placed. Texts are those of mlir-air's GEMV builder and of the compiler behind it; the L1 budget is
/// that of its kernel registry.
final class GemvLimits {

    private static final String ROWS_REMEDY = "Use a tile_m and a herd whose product divides m.";

    static final Limit ROWS_DIVIDE = limit("ROWS_DIVIDE",
            s -> m(s) % (tileM(s) * s.herdColumns()) != 0,
            s -> "M (%d) must be divisible by tile_m * herd_m (%d)".formatted(m(s), tileM(s) * s.herdColumns()),
            "every core computes the same number of whole tiles", ROWS_REMEDY);

    static final Limit INPUT_ROWS_DIVIDE = limit("INPUT_ROWS_DIVIDE",
            s -> tileM(s) % mInput(s) != 0,
            s -> "tile_m (%d) must be divisible by m_input (%d)".formatted(tileM(s), mInput(s)),
            "the core function takes m_input rows a call until the tile is done", "Use an m_input that divides tile_m.");

    static final Limit VECTOR_WIDTH_DIVIDES = limit("VECTOR_WIDTH",
            s -> k(s) % s.device().functions().gemvLanes() != 0,
            s -> "K (%d) must be divisible by %d (vector width)".formatted(k(s), s.device().functions().gemvLanes()),
            "the core multiplies whole vectors of bf16 and has no remainder loop",
            s -> "Pad k to a multiple of %d.".formatted(s.device().functions().gemvLanes()));

    static final Limit MEMTILE_PANEL = limit("L2_CAPACITY",
            s -> matrixPanel(s) + outPanel(s) > memtile(s),
            s -> "L2 capacity exceeded: A=%dB + C=%dB = %dB > %dB. Reduce herd_m (%d), tile_m (%d), or k (%d).".formatted(matrixPanel(s),
                    outPanel(s), matrixPanel(s) + outPanel(s), memtile(s), s.herdColumns(), tileM(s), k(s)),
            "the A and C panels of all columns are staged in one memtile's memory",
            s -> largestTile(s) > 0
                    ? "Use a smaller tile_m: at k = %d and herd_m %d the largest even one is %d.".formatted(k(s), s.herdColumns(), largestTile(s))
                    : "Use fewer columns: at k = %d no tile_m fits on %d.".formatted(k(s), s.herdColumns()));

    static final Limit EVEN_TILE = limit("GRANULARITY",
            s -> tileM(s) % 2 != 0,
            s -> "tile_m (%d) must be even: C of %d bytes is no multiple of %d".formatted(tileM(s), 2 * tileM(s),
                    s.device().dma().granularityBytes()),
            "a DMA moves 32-bit words: bf16 results leave a core in pairs", "Use an even tile_m, on a smaller herd if need be.");

    static final Limit REPEAT_PANELS = limit("REPEAT",
            s -> runs(s) / tiling(s) - 1 > maximumRepeat(s),
            s -> ("'aiex.npu.push_queue' op Repeat count exceeds [0:%d] (A and C of M=%d, K=%d: %d runs of tile_m*herd_m=%d, loop tiling %d: "
                    + "repeat %d)").formatted(maximumRepeat(s), m(s), k(s), runs(s), tileM(s) * s.herdColumns(), tiling(s),
                    runs(s) / tiling(s) - 1),
            "a DMA task's repeat field has 8 bits and holds runs minus one",
            "Use runtime loop tiling, a larger tile_m, or a launch for each part of m.");

    static final Limit REPEAT_VECTOR = limit("REPEAT_VECTOR",
            s -> vectorRuns(s) / tiling(s) - 1 > maximumRepeat(s),
            s -> ("'aiex.npu.push_queue' op Repeat count exceeds [0:%d] (vector of M=%d, K=%d: sent %d times for m_input*herd_m=%d rows each, "
                    + "loop tiling %d: repeat %d)").formatted(maximumRepeat(s), m(s), k(s), vectorRuns(s), mInput(s) * s.herdColumns(),
                    tiling(s), vectorRuns(s) / tiling(s) - 1),
            "the vector is sent again for every call of the core function, and the repeat field has 8 bits",
            "Use runtime loop tiling, an m_input equal to tile_m, or a launch for each part of m.");

    static final Limit CORE_MEMORY = limit("L1_CAPACITY",
            s -> s.copies() * buffers(s) > s.coreMemory(),
            s -> "'aie.tile' op allocated buffers exceeded available memory (A=%dB + B=%dB + C=%dB = %dB > %dB, stack %dB)".formatted(
                    s.copies() * 2 * mInput(s) * k(s), s.copies() * 2 * k(s), s.copies() * 2 * tileM(s),
                    s.copies() * buffers(s) + s.device().array().stackBytes(), s.device().array().coreMemoryBytes(),
                    s.device().array().stackBytes()),
            "a core's L1 holds m_input rows, the vector, the results and the stack; ping-pong doubles the buffers",
            "Use a smaller m_input, or switch ping-pong off.");

    static final List<Limit> ALL = List.of(HerdLimits.HERD_FITS, HerdLimits.oneRow(), ROWS_DIVIDE, INPUT_ROWS_DIVIDE,
            VECTOR_WIDTH_DIVIDES, MEMTILE_PANEL, EVEN_TILE, REPEAT_PANELS, REPEAT_VECTOR, CORE_MEMORY);

    private GemvLimits() {}

    private static long m(LaunchSite s) {
        return s.shape("m");
    }

    private static long k(LaunchSite s) {
        return s.shape("k");
    }

    private static long tileM(LaunchSite s) {
        return s.tile("tile_m");
    }

    private static long mInput(LaunchSite s) {
        return s.tile("m_input");
    }

    private static long matrixPanel(LaunchSite s) {
        return s.herdColumns() * tileM(s) * k(s) * 2;
    }

    private static long outPanel(LaunchSite s) {
        return s.herdColumns() * tileM(s) * 2;
    }

    private static long memtile(LaunchSite s) {
        return s.device().array().memtileMemoryBytes();
    }

    private static long largestTile(LaunchSite s) {
        return memtile(s) / (s.herdColumns() * (k(s) + 1) * 2) / 2 * 2;
    }

    private static long runs(LaunchSite s) {
        return Math.ceilDiv(m(s), tileM(s) * s.herdColumns());
    }

    private static long vectorRuns(LaunchSite s) {
        return Math.ceilDiv(m(s), mInput(s) * s.herdColumns());
    }

    private static long tiling(LaunchSite s) {
        return s.tilingOf(runs(s));
    }

    private static long maximumRepeat(LaunchSite s) {
        return s.device().dma().maximumRepeat();
    }

    private static long buffers(LaunchSite s) {
        return 2 * (mInput(s) * k(s) + k(s) + tileM(s));
    }
}
