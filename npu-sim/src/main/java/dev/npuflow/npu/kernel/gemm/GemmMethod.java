package dev.npuflow.npu.kernel.gemm;

/// How a bf16 GEMM gets its fp32 sums out of the cores (mlir-air's GEMM builders and kernel registry).
public enum GemmMethod {
    /// The core rounds its tile and sends bf16: sums and results both lie in L1, which holds them up to tile_m 32.
    DRAIN,
    /// The sums leave as fp32 to a buffer of the ELF's in L3, and a second configuration of the array casts them.
    FUSED_CAST;

    private static final int DRAIN_LARGEST_TILE = 32;

    /// @param tileM rows of a core's tile
    public static GemmMethod of(int tileM) {
        return tileM <= DRAIN_LARGEST_TILE ? DRAIN : FUSED_CAST;
    }
}
