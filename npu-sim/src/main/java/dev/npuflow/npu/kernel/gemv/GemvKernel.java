package dev.npuflow.npu.kernel.gemv;

import static dev.npuflow.npu.kernel.KernelSignature.product;
import static dev.npuflow.npu.kernel.KernelSignature.reads;
import static dev.npuflow.npu.kernel.KernelSignature.writesRows;

import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.KernelSignature;
import dev.npuflow.npu.kernel.Operands;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import java.util.List;

/// `gemv`: out(m) = matrix(m × k, row-major) · vector(k).
public final class GemvKernel implements Kernel {

    public static final KernelId ID = new KernelId("gemv");

    private static final KernelSignature SIGNATURE = new KernelSignature(
            List.of(reads("matrix", product("m", "k")), reads("vector", product("k")), writesRows("out", product("m"))),
            List.of("m", "k"), List.of(), List.of());

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
        GemvRows.compute(operands.port("matrix"), operands.port("vector"), operands.port("out"), launch.shape().get("m"),
                launch.shape().get("k"), operands.workers());
    }
}
