package dev.npuflow.npu.aie.limit;

import static dev.npuflow.npu.aie.limit.Limit.limit;

/// Limits of any herd.
public final class HerdLimits {

    /// Our own words: the tool chain's text for a herd outside the array is not on record.
    public static final Limit HERD_FITS = limit("HERD_FIT",
            s -> s.herdColumns() > s.device().array().columns() || s.herdRows() > s.device().array().coreRows(),
            s -> "herd shape mismatch: herd %d x %d does not fit in %d columns x %d core rows".formatted(s.herdColumns(), s.herdRows(),
                    s.device().array().columns(), s.device().array().coreRows()),
            "a herd is a rectangle of the array's core tiles",
            s -> "Use a herd of at most %d x %d.".formatted(s.device().array().columns(), s.device().array().coreRows()));

    private HerdLimits() {}

    /// Every core has its own streams from and to L3, and a shim has few channels.
    /// Source: placement sweeps of RoPE, add and SiLU·mul on NPU2: 2 in + 1 out fit on 8 tiles, not on 16; 1 in + 1 out on 16.
    public static Limit shimChannels(int readsPerCore, int writesPerCore) {
        return limit("SHIM_CHANNELS",
                s -> s.cores() * Math.max(readsPerCore, writesPerCore) > channels(s),
                s -> "air.channel.put failed to map to shim dma channels: out of channels (%d cores x %d streams in, %d shim channels)"
                        .formatted(s.cores(), readsPerCore, channels(s)),
                "a shim column has two DMA channels each way, and every core streams its own operands",
                s -> "Use a herd of at most %d cores.".formatted(channels(s) / Math.max(readsPerCore, writesPerCore)));
    }

    /// A herd that is one row of cores.
    public static Limit oneRow() {
        return limit("HERD_ROWS", s -> s.herdRows() != 1,
                s -> "herd shape mismatch: herd %d x %d, this kernel is built for herd h x 1".formatted(s.herdColumns(), s.herdRows()),
                "each column's memtile feeds one core of the column",
                s -> "Use a herd of %d x 1.".formatted(s.herdColumns()));
    }

    private static long channels(LaunchSite s) {
        return (long) s.device().array().columns() * s.device().dma().shimChannels();
    }
}
