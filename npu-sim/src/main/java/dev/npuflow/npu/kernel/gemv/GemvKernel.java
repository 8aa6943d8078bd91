package dev.npuflow.npu.kernel.gemv;

import static dev.npuflow.npu.kernel.KernelSignature.product;
import static dev.npuflow.npu.kernel.KernelSignature.reads;
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
import java.util.Optional;

/// `gemv`: out(m) = matrix(m × k, row-major) · vector(k).
public final class GemvKernel implements Kernel {

    private static final KernelSignature SIGNATURE = new KernelSignature(
            List.of(reads("matrix", product("m", "k")), reads("vector", product("k")), writesRows("out", product("m"))),
            List.of("m", "k"), List.of(), List.of(), List.of("tile_m", "m_input"));

    @Override
    public String id() {
        return "gemv";
    }

    @Override
    public KernelSignature signature() {
        return SIGNATURE;
    }

    @Override
    public List<Blocker> check(LaunchDescription launch, ElfDescription elf, DeviceDescription device) {
        return Limit.check(new LaunchSite(launch, elf, device), GemvLimits.ALL);
    }

    /// The object's output rows a call and its reduction length are fixed when it is built.
    @Override
    public Optional<String> linkedObject(LaunchDescription launch) {
        return Optional.of("mv: tile_m %d, m_input %d, k %d".formatted(launch.tile().get("tile_m"), launch.tile().get("m_input"),
                launch.shape().get("k")));
    }

    @Override
    public void execute(LaunchDescription launch, Operands operands) {
        GemvRows.compute(operands.port("matrix"), operands.port("vector"), operands.port("out"), launch.shape().get("m"),
                launch.shape().get("k"), operands.workers());
    }
}
