package dev.npuflow.workflow.lens;

import dev.npuflow.npu.kernel.add.EltwiseAddKernel;
import dev.npuflow.npu.kernel.attention.FlashAttentionKernel;
import dev.npuflow.npu.kernel.bias.BiasAddKernel;
import dev.npuflow.npu.kernel.gemm.GemmKernel;
import dev.npuflow.npu.kernel.gemv.GemvKernel;
import dev.npuflow.npu.kernel.gemvadd.GemvAddKernel;
import dev.npuflow.npu.kernel.rmsnorm.RmsNormKernel;
import dev.npuflow.npu.kernel.rope.RopeKernel;
import dev.npuflow.npu.kernel.silu.SiluMulKernel;
import dev.npuflow.npu.kernel.swiglu.GemvSwigluRmsKernel;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.plan.Launch;
import java.util.Arrays;
import java.util.Optional;

/// The kernels whose ports the lens can explain. A launch of another is compared by what it makes, and no more is said of it.
enum KnownKernel {
    GEMV(GemvKernel.ID, "matrix"),
    GEMM(GemmKernel.ID, "weight"),
    BIAS_ADD(BiasAddKernel.ID, "bias"),
    RMS_NORM(RmsNormKernel.ID, "weight"),
    ROPE(RopeKernel.ID, ""),
    SILU_MUL(SiluMulKernel.ID, ""),
    FLASH_ATTENTION(FlashAttentionKernel.ID, ""),
    ELTWISE_ADD(EltwiseAddKernel.ID, ""),
    GEMV_ADD(GemvAddKernel.ID, "matrix"),
    /// Its matrix holds rows of two weights in turn.
    GEMV_SWIGLU_RMS(GemvSwigluRmsKernel.ID, "weight");

    private final KernelId id;
    private final String weightPort;

    /// @param weightPort reads one whole weight of the model; empty where no port does
    KnownKernel(KernelId id, String weightPort) {
        this.id = id;
        this.weightPort = weightPort;
    }

    static Optional<KnownKernel> of(Launch launch) {
        return Arrays.stream(values()).filter(kernel -> kernel.id.value().equals(launch.kernel())).findFirst();
    }

    boolean takesWeightAt(String port) {
        return weightPort.equals(port);
    }
}
