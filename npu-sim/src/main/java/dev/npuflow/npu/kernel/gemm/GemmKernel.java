package dev.npuflow.npu.kernel.gemm;

import static dev.npuflow.npu.kernel.KernelSignature.POSITIONS;
import static dev.npuflow.npu.kernel.KernelSignature.product;
import static dev.npuflow.npu.kernel.KernelSignature.reads;
import static dev.npuflow.npu.kernel.KernelSignature.readsRows;
import static dev.npuflow.npu.kernel.KernelSignature.writesRows;

import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.KernelSignature;
import dev.npuflow.npu.kernel.Operands;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import java.util.List;

/// `gemm`: out(m × n) = activations(m × k) · weight(n × k)ᵀ; of the m rows, those of real positions.
public final class GemmKernel implements Kernel {

    public static final KernelId ID = new KernelId("gemm");

    private static final KernelSignature SIGNATURE = new KernelSignature(
            List.of(readsRows("activations", product("m", "k")), reads("weight", product("n", "k")), writesRows("out", product("m", "n"))),
            List.of("m", "k", "n", POSITIONS), List.of(), List.of());

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
        int rows = (int) KernelSignature.active(launch.shape().get("m"), launch.shape(), operands.activePositions());
        GemmBlocks.compute(operands.port("activations"), operands.port("weight"), operands.port("out"), rows, launch.shape().get("k"),
                launch.shape().get("n"), operands.workers());
    }
}
