package dev.npuflow.npu.kernel.swiglu;

import static dev.npuflow.npu.kernel.KernelSignature.product;
import static dev.npuflow.npu.kernel.KernelSignature.reads;
import static dev.npuflow.npu.kernel.KernelSignature.writesRows;

import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.KernelSignature;
import dev.npuflow.npu.kernel.Operands;
import dev.npuflow.npu.kernel.rmsnorm.RmsNormRows;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import java.lang.foreign.MemorySegment;
import java.util.List;

/// `gemv_swiglu_rms`: with x = RMSNorm(in) · weight in bf16, out(m/2) = SiLU(gate · x) · (up · x), where rows of gate and up stand in turn in
/// matrix(m × k).
///
/// k is split over the herd's rows; their fp32 sums are added up down the cascade. Gate and up stay in fp32: one rounding where three launches have
/// three.
public final class GemvSwigluRmsKernel implements Kernel {

    public static final KernelId ID = new KernelId("gemv_swiglu_rms");

    private static final KernelSignature SIGNATURE = new KernelSignature(
            List.of(reads("matrix", product("m", "k")), reads("in", product("k")), reads("weight", product("k")),
                    writesRows("out", shape -> shape.get("m") / 2L)),
            List.of("m", "k"), List.of(), List.of("epsilon"));

    @Override
    public KernelId id() {
        return ID;
    }

    @Override
    public KernelSignature signature() {
        return SIGNATURE;
    }

    @Override
    public void execute(LaunchDescription launch, Operands operands) {
        int k = launch.shape().get("k");
        MemorySegment normed = MemorySegment.ofArray(new short[k]);
        new RmsNormRows(operands.port("in"), operands.port("weight"), normed, k, launch.constants().get("epsilon").floatValue()).row(0);
        new CascadeRows(operands.port("matrix"), normed, operands.port("out"), launch.shape().get("m") / 2, k, launch.herdRows())
                .compute(operands.workers());
    }
}
