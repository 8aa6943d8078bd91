package dev.npuflow.npu.kernel.rope;

import static dev.npuflow.npu.kernel.KernelSignature.POSITIONS;
import static dev.npuflow.npu.kernel.KernelSignature.product;
import static dev.npuflow.npu.kernel.KernelSignature.readsRows;
import static dev.npuflow.npu.kernel.KernelSignature.writesRows;

import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.KernelSignature;
import dev.npuflow.npu.kernel.Operands;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import java.util.List;
import java.util.SortedMap;

/// `rope`: rotates the pairs (i, i + rotary_dim/2) of each row by the angles of its table row; the rest of a row is copied.
/// `rotary_dim` is `head_dim` where it is left out.
public final class RopeKernel implements Kernel {

    public static final KernelId ID = new KernelId("rope");

    public static final String ROTARY = "rotary_dim";

    private static final KernelSignature SIGNATURE = new KernelSignature(
            List.of(readsRows("in", product("rows", "head_dim")), readsRows("table", shape -> (long) shape.get("rows") * rotary(shape)),
                    writesRows("out", product("rows", "head_dim"))),
            List.of("rows", "head_dim"), List.of(ROTARY, POSITIONS), List.of());

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
        RopeRows rows = new RopeRows(operands.port("in"), operands.port("table"), operands.port("out"), launch.shape().get("head_dim"),
                rotary(launch.shape()));
        operands.workers().run((int) KernelSignature.active(launch.shape().get("rows"), launch.shape(), operands.activePositions()), rows::row);
    }

    private static int rotary(SortedMap<String, Integer> shape) {
        return shape.getOrDefault(ROTARY, shape.get("head_dim"));
    }
}
