package dev.npuflow.npu.kernel.elementwise;

import static dev.npuflow.npu.kernel.KernelSignature.POSITIONS;
import static dev.npuflow.npu.kernel.KernelSignature.product;
import static dev.npuflow.npu.kernel.KernelSignature.readsRows;
import static dev.npuflow.npu.kernel.KernelSignature.writesRows;

import dev.npuflow.npu.compiler.Blocker;
import dev.npuflow.npu.compiler.ElfDescription;
import dev.npuflow.npu.compiler.LaunchDescription;
import dev.npuflow.npu.device.DeviceDescription;
import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.KernelSignature;
import dev.npuflow.npu.kernel.Operands;
import dev.npuflow.npu.kernel.limit.LaunchSite;
import dev.npuflow.npu.kernel.limit.Limit;
import java.util.List;

/// Two vectors of `n` in, one out, in tiles of `tile_n`; every core works on whole tiles.
public abstract class ElementwiseKernel implements Kernel {

    private final String id;
    private final String first;
    private final String second;
    private final ElementwiseBlocks.Function function;
    private final KernelSignature signature;

    /// @param first,second names of the ports that are read; `out` is written
    protected ElementwiseKernel(String id, String first, String second, ElementwiseBlocks.Function function) {
        this.id = id;
        this.first = first;
        this.second = second;
        this.function = function;
        this.signature = new KernelSignature(List.of(readsRows(first, product("n")), readsRows(second, product("n")), writesRows("out", product("n"))),
                List.of("n"), List.of(POSITIONS), List.of(), List.of("tile_n"));
    }

    @Override
    public final String id() {
        return id;
    }

    @Override
    public final KernelSignature signature() {
        return signature;
    }

    @Override
    public final List<Blocker> check(LaunchDescription launch, ElfDescription elf, DeviceDescription device) {
        return Limit.check(new LaunchSite(launch, elf, device), ElementwiseLimits.ALL);
    }

    @Override
    public final void execute(LaunchDescription launch, Operands operands) {
        int elements = (int) KernelSignature.active(launch.shape().get("n"), launch.shape(), operands.activePositions());
        new ElementwiseBlocks(operands.port(first), operands.port(second), operands.port("out"), elements, function).compute(operands.workers());
    }
}
