package dev.npuflow.npu.aie.gemm;

import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.launch.LaunchDescription;

/// How a bf16 GEMM gets its sums out of the cores (mlir-air's GEMM builders and kernel registry).
enum GemmMethod {
    /// The core rounds its tile and sends bf16: fp32 sums and results both lie in L1, which holds them up to few rows.
    DRAIN(4 + 2, 2),
    /// The sums leave as fp32 to a buffer of the ELF's in L3, and a second configuration of the array casts them.
    FUSED_CAST(4, 4),
    /// The sums leave as fp32 and stay so.
    F32_OUT(4, 4),
    /// The core sums in bf16 and rounds at every call.
    DIRECT(2, 2);

    private final int coreBytes;
    private final int memtileBytes;

    GemmMethod(int coreBytes, int memtileBytes) {
        this.coreBytes = coreBytes;
        this.memtileBytes = memtileBytes;
    }

    /// What a launch of [Gemm] or [TimedGemm] does.
    static GemmMethod of(LaunchDescription launch, AieHardware device) {
        return TimedGemm.methodOf(launch.kernel())
                .orElseGet(() -> launch.tile().get("tile_m") <= device.functions().gemmDrainedRows() ? DRAIN : FUSED_CAST);
    }

    /// Bytes of L1 that an output takes.
    int coreBytes() {
        return coreBytes;
    }

    /// Bytes of L2 that an output takes.
    int memtileBytes() {
        return memtileBytes;
    }
}
