package dev.npuflow.npu.aie.limit;

import static dev.npuflow.npu.aie.limit.Limit.limit;

/// Limits of a kernel that goes through its M rows in steps of tile_m rows a column: shape key `m`, tile key `tile_m`.
public final class RowSteps {

    public static final Limit ROWS_DIVIDE = limit("ROWS_DIVIDE", s -> s.shape("m") % step(s) != 0,
            s -> "M (%d) must be divisible by tile_m * columns (%d)".formatted(s.shape("m"), step(s)),
            "every column computes the same number of whole tiles", "Use fewer columns or a smaller tile_m.");

    public static final Limit REPEAT = limit("REPEAT", s -> repeat(s) > s.device().dma().maximumRepeat(),
            s -> "'aiex.npu.push_queue' op Repeat count exceeds [0:%d] (M=%d: %d runs of tile_m*columns=%d, repeat %d)".formatted(
                    s.device().dma().maximumRepeat(), s.shape("m"), runs(s), step(s), repeat(s)),
            "a DMA task's repeat field has 8 bits and holds runs minus one", "Use runtime loop tiling, a larger tile_m, or a launch for each part of m.");

    private RowSteps() {}

    private static long step(LaunchSite s) {
        return s.tile("tile_m") * s.herdColumns();
    }

    private static long runs(LaunchSite s) {
        return Math.ceilDiv(s.shape("m"), step(s));
    }

    private static long repeat(LaunchSite s) {
        return runs(s) / s.tilingOf(runs(s)) - 1;
    }
}
