package dev.npuflow.npu.kernel.silu;

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
import java.util.Optional;

/// `silu_mul`: out = gate / (1 + exp(−gate)) · up, fp32 inside, rounded once.
public final class SiluMulKernel implements Kernel {

    private static final KernelSignature SIGNATURE = new KernelSignature(
            List.of(readsRows("gate", product("n")), readsRows("up", product("n")), writesRows("out", product("n"))),
            List.of("n"), List.of(POSITIONS), List.of(), List.of("tile_n"));

    @Override
    public String id() {
        return "silu_mul";
    }

    @Override
    public KernelSignature signature() {
        return SIGNATURE;
    }

    @Override
    public List<Blocker> check(LaunchDescription launch, ElfDescription elf, DeviceDescription device) {
        return Limit.check(new LaunchSite(launch, elf, device), ElementwiseLimits.ALL);
    }

    /// The tile is fixed when the object is built.
    @Override
    public Optional<String> linkedObject(LaunchDescription launch) {
        return Optional.of("silu_and_mul: tile_n %d".formatted(launch.tile().get("tile_n")));
    }

    @Override
    public void execute(LaunchDescription launch, Operands operands) {
        int elements = (int) KernelSignature.active(launch.shape().get("n"), launch.shape(), operands.activePositions());
        new ElementwiseBlocks(operands.port("gate"), operands.port("up"), operands.port("out"), elements, Silu::multiplied)
                .compute(operands.workers());
    }
}
