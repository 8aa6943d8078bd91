package dev.npuflow.npu.aie.rows;

import static dev.npuflow.npu.aie.limit.Limit.limit;

import dev.npuflow.npu.aie.limit.HerdLimits;
import dev.npuflow.npu.aie.limit.LaunchSite;
import dev.npuflow.npu.aie.limit.Limit;
import dev.npuflow.npu.kernel.rope.RopeKernel;
import java.util.List;

/// Where a RoPE can be placed. Source: mlir-air's RoPE builder.
final class RopeLimits {

    static final Limit LANES_DIVIDE = limit("VECTOR_WIDTH",
            s -> s.shape("head_dim") % s.device().functions().lanes() != 0,
            s -> "head_dim must be divisible by %1$d (kernel vector width N=%1$d), is %2$d".formatted(s.device().functions().lanes(), s.shape("head_dim")),
            "the core's vector loop has no remainder", "Compute RoPE on the host.");

    static final Limit PAIRED_LANES_DIVIDE = limit("ROTARY_WIDTH",
            s -> rotary(s) != s.shape("head_dim") && rotary(s) % (2L * s.device().functions().lanes()) != 0,
            s -> "rope_dim must be divisible by %d where it is not head_dim, is %d".formatted(2 * s.device().functions().lanes(), rotary(s)),
            "both halves of the rotated part are whole vectors of 16", "Rotate a width that is a multiple of 32, or compute RoPE on the host.");

    static final Limit ROTARY_FITS = limit("ROTARY_FITS",
            s -> rotary(s) > s.shape("head_dim"),
            s -> "rope_dim (%d) must not exceed head_dim (%d)".formatted(rotary(s), s.shape("head_dim")),
            "only elements of the head can be rotated", "Use a rotary_dim of at most head_dim.");

    static final Limit ROWS_DIVIDE = limit("ROWS_DIVIDE",
            s -> s.shape("rows") % s.cores() != 0,
            s -> "rows (%d) must be divisible by herd_x * herd_y (%d)".formatted(s.shape("rows"), s.cores()),
            "every core rotates the same number of whole rows", "Use a herd whose cores divide the rows.");

    static final List<Limit> ALL = List.of(HerdLimits.HERD_FITS, LANES_DIVIDE, PAIRED_LANES_DIVIDE, ROTARY_FITS, ROWS_DIVIDE,
            HerdLimits.shimChannels(2, 1));

    private RopeLimits() {}

    private static long rotary(LaunchSite s) {
        return s.shape(RopeKernel.ROTARY, s.shape("head_dim"));
    }
}
