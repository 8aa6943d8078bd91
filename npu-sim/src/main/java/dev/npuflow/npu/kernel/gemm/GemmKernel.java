package dev.npuflow.npu.kernel.gemm;

import static dev.npuflow.npu.kernel.KernelSignature.POSITIONS;
import static dev.npuflow.npu.kernel.KernelSignature.product;
import static dev.npuflow.npu.kernel.KernelSignature.reads;
import static dev.npuflow.npu.kernel.KernelSignature.readsRows;
import static dev.npuflow.npu.kernel.KernelSignature.writesRows;

import dev.npuflow.npu.compiler.Blocker;
import dev.npuflow.npu.compiler.ElfDescription;
import dev.npuflow.npu.compiler.LaunchDescription;
import dev.npuflow.npu.device.DeviceDescription;
import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.KernelSignature;
import dev.npuflow.npu.kernel.Operands;
import java.util.List;
import java.util.Optional;

/// `gemm`: out(m × n) = activations(m × k) · weight(n × k)ᵀ; of the m rows, those of real positions.
public final class GemmKernel implements Kernel {

    static final KernelSignature SIGNATURE = new KernelSignature(
            List.of(readsRows("activations", product("m", "k")), reads("weight", product("n", "k")), writesRows("out", product("m", "n"))),
            List.of("m", "k", "n", POSITIONS), List.of(), List.of(), List.of("tile_m", "tile_k_l2", "tile_k_l1", "tile_n"));

    @Override
    public String id() {
        return "gemm";
    }

    @Override
    public KernelSignature signature() {
        return SIGNATURE;
    }

    @Override
    public List<Blocker> check(LaunchDescription launch, ElfDescription elf, DeviceDescription device) {
        return GemmLimits.check(launch, elf, device);
    }

    @Override
    public List<String> warnings(LaunchDescription launch) {
        return GemmLimits.warnings(launch);
    }

    /// The object's blocking is fixed when it is built.
    @Override
    public Optional<String> linkedObject(LaunchDescription launch) {
        return Optional.of(object(launch));
    }

    static String object(LaunchDescription launch) {
        return "mm: tile_m %d, tile_k_l1 %d, tile_n %d".formatted(launch.tile().get("tile_m"), launch.tile().get("tile_k_l1"), launch.tile().get("tile_n"));
    }

    @Override
    public void execute(LaunchDescription launch, Operands operands) {
        int rows = (int) KernelSignature.active(launch.shape().get("m"), launch.shape(), operands.activePositions());
        GemmBlocks.compute(operands.port("activations"), operands.port("weight"), operands.port("out"), rows, launch.shape().get("k"),
                launch.shape().get("n"), operands.workers());
    }
}
