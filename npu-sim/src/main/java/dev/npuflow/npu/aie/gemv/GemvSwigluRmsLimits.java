package dev.npuflow.npu.aie.gemv;

import static dev.npuflow.npu.aie.limit.Limit.limit;

import dev.npuflow.npu.aie.limit.HerdLimits;
import dev.npuflow.npu.aie.limit.LaunchSite;
import dev.npuflow.npu.aie.limit.Limit;
import dev.npuflow.npu.aie.limit.RowSteps;
import java.util.List;

/// Where the fused norm, gate, up and SwiGLU can be placed. Source: mlir-air's builder of matvec_swiglu_rms; quoted is what it is known to print.
final class GemvSwigluRmsLimits {

    static final Limit CASCADE = limit("CASCADE", s -> s.herdRows() < 2 || s.herdRows() > s.device().array().coreRows(),
            s -> "cascade length (%d) must be 2 to %d".formatted(s.herdRows(), s.device().array().coreRows()),
            "sums pass from core to core of one column", s -> "Use a herd of %d x %d.".formatted(s.herdColumns(), s.device().array().coreRows()));

    static final Limit INPUT_ROWS_DIVIDE = limit("INPUT_ROWS_DIVIDE", s -> s.tile("tile_m") % s.tile("m_input") != 0,
            s -> "tile_m (%d) must be divisible by m_input (%d)".formatted(s.tile("tile_m"), s.tile("m_input")),
            "the core function takes m_input rows a call until the tile is done", "Use an m_input that divides tile_m.");

    static final Limit PAIRS = limit("PAIRS", s -> s.tile("m_input") % 2 != 0,
            s -> "m_input (%d) must be even".formatted(s.tile("m_input")), "a gate row and its up row are computed in one call", "Use an even m_input.");

    static final Limit LANES_DIVIDE = limit("VECTOR_WIDTH_OUT", s -> s.tile("tile_m") % (2L * lanes(s)) != 0,
            s -> "tile_m / 2 (%d) must be a positive multiple of %d".formatted(s.tile("tile_m") / 2, lanes(s)),
            "SiLU times up runs on 16 lanes and has no remainder loop", "Use a tile_m of 32.");

    static final Limit PARTS = limit("CASCADE_DIVIDES", s -> s.shape("k") % s.herdRows() != 0,
            s -> "K (%d) must be divisible by the cascade length (%d)".formatted(s.shape("k"), s.herdRows()),
            "every core of a column takes an equal part of k",
            "Use a herd whose number of rows divides k.");

    static final Limit VECTOR_WIDTH_DIVIDES = limit("VECTOR_WIDTH", s -> s.shape("k") / s.herdRows() % s.device().functions().gemvLanes() != 0,
            s -> "K per core (%d) must be divisible by %d (vector width)".formatted(s.shape("k") / s.herdRows(), s.device().functions().gemvLanes()),
            "the core multiplies 64 bf16 lanes at once and has no remainder loop", "Use a herd with fewer rows, or pad k to a multiple of 256.");

    static final Limit WRAP = limit("WRAP", s -> s.shape("k") >= s.device().functions().swigluRefusedK(),
            s -> "Size may not exceed %d (K=%d)".formatted(s.device().dma().maximumWrap(), s.shape("k")),
            "a row of the normalized vector does not fit one dimension of a buffer descriptor", "Use separate gate, up and silu_mul launches.");

    static final Limit MEMTILE_PANEL = limit("L2_CAPACITY", s -> panel(s) > s.device().array().memtileMemoryBytes(),
            s -> "L2 per-col exceeds memtile: %dB > %dB".formatted(panel(s), s.device().array().memtileMemoryBytes()),
            "a column's A and C panels are staged in its memtile, twice with ping-pong", "Use a smaller tile_m, or switch ping-pong off.");

    static final Limit CORE_MEMORY = limit("L1_CAPACITY", s -> buffers(s) > s.coreMemory(),
            s -> "'aie.tile' op allocated buffers exceeded available memory (%dB > %dB, stack %dB)".formatted(
                    buffers(s) + s.device().array().stackBytes(),
                    s.device().array().coreMemoryBytes(), s.device().array().stackBytes()),
            "a core's L1 holds m_input rows of its part of k, the vector, its norm's weight and the results", "Use a smaller m_input, or switch ping-pong off.");

    static final List<Limit> ALL = List.of(HerdLimits.HERD_FITS, CASCADE, RowSteps.ROWS_DIVIDE, INPUT_ROWS_DIVIDE, PAIRS, LANES_DIVIDE, PARTS,
            VECTOR_WIDTH_DIVIDES, WRAP, MEMTILE_PANEL, CORE_MEMORY, RowSteps.REPEAT);

    private GemvSwigluRmsLimits() {}

    private static int lanes(LaunchSite s) {
        return s.device().functions().lanes();
    }

    private static long panel(LaunchSite s) {
        return s.copies() * (2 * s.tile("tile_m") * s.shape("k") + s.tile("tile_m"));
    }

    private static long buffers(LaunchSite s) {
        return s.copies() * 2 * (s.tile("m_input") * s.shape("k") / s.herdRows() + s.tile("tile_m") / 2) + 4 * s.shape("k");
    }
}
