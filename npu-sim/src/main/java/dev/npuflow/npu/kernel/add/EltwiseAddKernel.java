package dev.npuflow.npu.kernel.add;

import dev.npuflow.npu.kernel.elementwise.ElementwiseKernel;
import dev.npuflow.npu.launch.KernelId;

/// `eltwise_add`: out = a + b, rounded once.
public final class EltwiseAddKernel extends ElementwiseKernel {

    public static final KernelId ID = new KernelId("eltwise_add");

    public EltwiseAddKernel() {
        super(ID, "a", "b", Float::sum);
    }
}
