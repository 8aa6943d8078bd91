package dev.npuflow.npu.kernel.silu;

import dev.npuflow.npu.kernel.elementwise.ElementwiseKernel;
import dev.npuflow.npu.launch.KernelId;

/// `silu_mul`: out = gate / (1 + exp(−gate)) · up, fp32 inside, rounded once.
public final class SiluMulKernel extends ElementwiseKernel {

    public static final KernelId ID = new KernelId("silu_mul");

    public SiluMulKernel() {
        super(ID, "gate", "up", Silu::multiplied);
    }
}
