package dev.npuflow.npu.kernel.bias;

import static dev.npuflow.npu.kernel.KernelSignature.POSITIONS;
import static dev.npuflow.npu.kernel.KernelSignature.product;
import static dev.npuflow.npu.kernel.KernelSignature.reads;
import static dev.npuflow.npu.kernel.KernelSignature.readsRows;
import static dev.npuflow.npu.kernel.KernelSignature.writesRows;

import dev.npuflow.npu.kernel.Bfloat16;
import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.KernelSignature;
import dev.npuflow.npu.kernel.Operands;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.List;

/// `bias_add`: out = in + bias, the same bias for every row, rounded once.
public final class BiasAddKernel implements Kernel {

    public static final KernelId ID = new KernelId("bias_add");

    private static final ValueLayout.OfShort ELEMENT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private static final KernelSignature SIGNATURE = new KernelSignature(
            List.of(readsRows("in", product("rows", "n")), reads("bias", product("n")), writesRows("out", product("rows", "n"))),
            List.of("rows", "n"), List.of(POSITIONS), List.of());

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
        MemorySegment in = operands.port("in");
        MemorySegment bias = operands.port("bias");
        MemorySegment out = operands.port("out");
        int n = launch.shape().get("n");
        int rows = (int) KernelSignature.active(launch.shape().get("rows"), launch.shape(), operands.activePositions());
        operands.workers().run(rows, row -> {
            long offset = 2L * row * n;
            for (long i = 0; i < 2L * n; i += 2) {
                out.set(ELEMENT, offset + i, Bfloat16.fromFloat(Bfloat16.toFloat(in.get(ELEMENT, offset + i)) + Bfloat16.toFloat(bias.get(ELEMENT, i))));
            }
        });
    }
}
