package dev.npuflow.npu.kernel.swiglu;

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
import dev.npuflow.npu.kernel.rmsnorm.RmsNormRows;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/// `gemv_swiglu_rms`: with x = RMSNorm(in) · weight in bf16, out(m/2) = SiLU(gate · x) · (up · x), where rows of gate and up stand in turn in
/// matrix(m × k).
///
/// k is split over the herd's rows; their fp32 sums are added up down the cascade. Gate and up stay in fp32: one rounding where three launches have
/// three.
public final class GemvSwigluRmsKernel implements Kernel {

    private static final KernelSignature SIGNATURE = new KernelSignature(
            List.of(reads("matrix", product("m", "k")), reads("in", product("k")), reads("weight", product("k")),
                    writesRows("out", shape -> shape.get("m") / 2L)),
            List.of("m", "k"), List.of(), List.of("epsilon"), List.of("tile_m", "m_input"));

    @Override
    public String id() {
        return "gemv_swiglu_rms";
    }

    @Override
    public KernelSignature signature() {
        return SIGNATURE;
    }

    @Override
    public List<Blocker> check(LaunchDescription launch, ElfDescription elf, DeviceDescription device) {
        return Limit.check(new LaunchSite(launch, elf, device), GemvSwigluRmsLimits.ALL);
    }

    @Override
    public Optional<String> linkedObject(LaunchDescription launch) {
        return Optional.of("mv_bf16 swiglu: tile_m %d, m_input %d, k %d in %d".formatted(launch.tile().get("tile_m"), launch.tile().get("m_input"),
                launch.shape().get("k"), launch.herdRows()));
    }

    @Override
    public void execute(LaunchDescription launch, Operands operands) {
        int k = launch.shape().get("k");
        MemorySegment normed = MemorySegment.ofArray(new short[k]);
        new RmsNormRows(operands.port("in"), operands.port("weight"), normed, k, launch.constants().get("epsilon").floatValue()).row(0);
        new CascadeRows(operands.port("matrix"), normed, operands.port("out"), launch.shape().get("m") / 2, k, launch.herdRows())
                .compute(operands.workers());
    }
}
