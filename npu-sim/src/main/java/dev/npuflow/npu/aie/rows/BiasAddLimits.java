package dev.npuflow.npu.aie.rows;

import static dev.npuflow.npu.aie.limit.Limit.limit;

import dev.npuflow.npu.aie.limit.HerdLimits;
import dev.npuflow.npu.aie.limit.LaunchSite;
import dev.npuflow.npu.aie.limit.Limit;
import java.util.List;

/// Where a bias add can be placed. Source: the builder of mlir-air's fused norm, QKV, bias and RoPE ELF.
final class BiasAddLimits {

    static final Limit LANES_DIVIDE = limit("VECTOR_WIDTH",
            s -> s.shape("n") % s.device().functions().lanes() != 0,
            s -> "real_cols (%d) must be divisible by %d (vector width)".formatted(s.shape("n"), s.device().functions().lanes()),
            "the core's vector loop has no remainder", s -> "Pad n to a multiple of %d.".formatted(s.device().functions().lanes()));

    static final Limit ROWS_DIVIDE = limit("ROWS_DIVIDE",
            s -> s.shape("rows") % s.cores() != 0,
            s -> "seq (%d) must be divisible by tiles (%d)".formatted(s.shape("rows"), s.cores()),
            "every core works on the same number of whole rows", "Use a herd whose cores divide the rows: 1 x 1 for one row.");

    static final Limit CORE_MEMORY = limit("L1_CAPACITY",
            s -> bytes(s) > s.coreMemory(),
            s -> "'aie.tile' op allocated buffers exceeded available memory (%dB > %dB, stack %dB)".formatted(
                    bytes(s) + s.device().array().stackBytes(), s.device().array().coreMemoryBytes(), s.device().array().stackBytes()),
            "a core's L1 holds a row in, a row out (twice with ping-pong) and the bias", "Switch ping-pong off.");

    static final List<Limit> ALL = List.of(HerdLimits.HERD_FITS, LANES_DIVIDE, ROWS_DIVIDE, CORE_MEMORY, HerdLimits.shimChannels(2, 1));

    private BiasAddLimits() {}

    private static long bytes(LaunchSite s) {
        return (2 * s.copies() + 1) * 2 * s.shape("n");
    }
}
