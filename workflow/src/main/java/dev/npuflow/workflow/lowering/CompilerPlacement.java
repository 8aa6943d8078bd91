package dev.npuflow.workflow.lowering;

import dev.npuflow.npu.compiler.Compilation;
import dev.npuflow.npu.compiler.Compiler;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Tiling;
import dev.npuflow.plan.Herd;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.skill.Blocker;
import java.util.List;
import java.util.stream.Stream;

/// Placement as the simulator's compiler sees it.
public final class CompilerPlacement implements TilePlacement {

    private final DeviceDescription device;

    public CompilerPlacement(DeviceDescription device) {
        this.device = device;
    }

    @Override public List<Blocker> check(NpuCall call) {
        return switch (Compiler.compile(Lowering.lower(call), device)) {
            case Compilation.Built _ -> List.of();
            case Compilation.Refused refused -> refused.blockers().stream().map(CompilerPlacement::forSkills).toList();
        };
    }

    @Override public Stream<Tiling> tilings(Launch launch) {
        return device.tilings(new KernelId(launch.kernel()), launch.shape());
    }

    @Override public List<Launch> tiled(Launch launch) {
        return device.formOf(new KernelId(launch.kernel())).isEmpty() ? List.of()
                : tilings(launch).map(tiling -> launch.withTile(new Herd(tiling.herdColumns(), tiling.herdRows()), tiling.tile())).toList();
    }

    static Blocker forSkills(dev.npuflow.npu.launch.Blocker blocker) {
        return new Blocker(blocker.limit(), blocker.launch(), blocker.message(), blocker.cause(), blocker.remedy());
    }
}
