package dev.npuflow.npu.kernel.elementwise;

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

/// Two vectors of `n` in, one out, in tiles of `tile_n`; every core works on whole tiles.
public abstract class ElementwiseKernel implements Kernel {

    private final KernelId id;
    private final String first;
    private final String second;
    private final ElementwiseBlocks.Function function;
    private final KernelSignature signature;

    /// @param first,second names of the ports that are read; `out` is written
    protected ElementwiseKernel(KernelId id, String first, String second, ElementwiseBlocks.Function function) {
        this.id = id;
        this.first = first;
        this.second = second;
        this.function = function;
        this.signature = new KernelSignature(List.of(readsRows(first, product("n")), readsRows(second, product("n")), writesRows("out", product("n"))),
                List.of("n"), List.of(POSITIONS), List.of());
    }

    @Override
    public final KernelId id() {
        return id;
    }

    @Override
    public final KernelSignature signature() {
        return signature;
    }

    @Override
    public final void execute(LaunchDescription launch, Operands operands) {
        int elements = (int) KernelSignature.active(launch.shape().get("n"), launch.shape(), operands.activePositions());
        new ElementwiseBlocks(operands.port(first), operands.port(second), operands.port("out"), elements, function).compute(operands.workers());
    }
}
