package dev.npuflow.npu.kernel.add;

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
import dev.npuflow.npu.kernel.elementwise.ElementwiseBlocks;
import dev.npuflow.npu.kernel.elementwise.ElementwiseLimits;
import dev.npuflow.npu.kernel.limit.LaunchSite;
import dev.npuflow.npu.kernel.limit.Limit;
import java.util.List;

/// `eltwise_add`: out = a + b, rounded once.
public final class EltwiseAddKernel implements Kernel {

    private static final KernelSignature SIGNATURE = new KernelSignature(
            List.of(readsRows("a", product("n")), readsRows("b", product("n")), writesRows("out", product("n"))),
            List.of("n"), List.of(POSITIONS), List.of(), List.of("tile_n"));

    @Override
    public String id() {
        return "eltwise_add";
    }

    @Override
    public KernelSignature signature() {
        return SIGNATURE;
    }

    @Override
    public List<Blocker> check(LaunchDescription launch, ElfDescription elf, DeviceDescription device) {
        return Limit.check(new LaunchSite(launch, elf, device), ElementwiseLimits.ALL);
    }

    /// On record: 245,760 elements in tiles of 2048 came back as zeros; tiles of 1920 did not.
    @Override
    public List<String> warnings(LaunchDescription launch) {
        return launch.shape().get("n") == 245_760 && launch.tile().get("tile_n") == 2048
                ? List.of("%s: n 245760 with tile_n 2048 gave zeros on silicon; use 1920".formatted(launch.name()))
                : List.of();
    }

    @Override
    public void execute(LaunchDescription launch, Operands operands) {
        int elements = (int) KernelSignature.active(launch.shape().get("n"), launch.shape(), operands.activePositions());
        new ElementwiseBlocks(operands.port("a"), operands.port("b"), operands.port("out"), elements, Float::sum)
                .compute(operands.workers());
    }
}
