package dev.npuflow.workflow.lowering;

import dev.npuflow.npu.compiler.Compilation;
import dev.npuflow.npu.compiler.Compiler;
import dev.npuflow.npu.device.DeviceDescription;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.Placement;
import java.util.List;

/// Placement as the simulator's compiler sees it.
public final class CompilerPlacement implements Placement {

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

    static Blocker forSkills(dev.npuflow.npu.compiler.Blocker blocker) {
        return new Blocker(blocker.limit(), blocker.launch(), blocker.message(), blocker.cause(), blocker.remedy());
    }
}
