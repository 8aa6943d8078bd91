package dev.npuflow.npu.kernel.rmsnorm;

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

/// `rms_norm`: out = in / √(mean(in²) + epsilon) · weight, row by row, fp32 inside.
public final class RmsNormKernel implements Kernel {

    public static final KernelId ID = new KernelId("rms_norm");

    private static final KernelSignature SIGNATURE = new KernelSignature(
            List.of(readsRows("in", product("rows", "n")), reads("weight", product("n")), writesRows("out", product("rows", "n"))),
            List.of("rows", "n"), List.of(POSITIONS), List.of("epsilon"));

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
        RmsNormRows rows = new RmsNormRows(operands.port("in"), operands.port("weight"), operands.port("out"), launch.shape().get("n"),
                launch.constants().get("epsilon").floatValue());
        operands.workers().run((int) KernelSignature.active(launch.shape().get("rows"), launch.shape(), operands.activePositions()), rows::row);
    }
}
