package dev.npuflow.plan;

/// Ids of kernels, as a plan's JSON writes them in [Launch#kernel]: those that a skill looks for or makes. docs/kernels.md lists all, with their shapes and ports. What a
/// kernel computes is the simulator's, which has each id in the kernel's package; a skill sees neither, so the ones it needs are here once.
public final class KernelNames {

    public static final String GEMV = "gemv";
    /// GEMV with an addition.
    public static final String GEMV_ADD = "gemv_add";
    /// Norm, gate, up and SiLU·mul in one.
    public static final String GEMV_SWIGLU_RMS = "gemv_swiglu_rms";
    public static final String RMS_NORM = "rms_norm";
    public static final String ELTWISE_ADD = "eltwise_add";
    public static final String SILU_MUL = "silu_mul";
    public static final String FLASH_ATTENTION = "flash_attention";

    private KernelNames() {}
}
