package dev.npuflow.workflow.lowering;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.compiler.Compiler;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Blocker;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Whether a whole plan has its place on a device: what does not place has no time either.
public final class PlanPlacement {

    private PlanPlacement() {}

    /// What keeps the plan from its place; each blocker names `phase/call/launch`. Judges upstream's plan as well, which is timed and not run.
    public static List<Blocker> blockers(Deployment deployment, DeviceDescription device) {
        List<Blocker> blockers = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            deployment.phase(phase).calls().forEach(call -> blockers.addAll(blockers(phase, call, device)));
        }
        return List.copyOf(blockers);
    }

    static List<Blocker> blockers(Phase phase, NpuCall call, DeviceDescription device) {
        return Compiler.placement(Lowering.lower(call), device).stream().map(CompilerPlacement::forSkills).map(blocker -> inCall(phase, call, blocker)).toList();
    }

    static Blocker inCall(Phase phase, NpuCall call, Blocker blocker) {
        String where = "%s/%s/%s".formatted(phase.name().toLowerCase(Locale.ROOT), call.name(), blocker.launch());
        return new Blocker(blocker.limit(), where, blocker.message(), blocker.cause(), blocker.remedy());
    }

    /// NPF-240: the plan cannot be run or timed.
    ///
    /// @param plan such as `plan 64404efc82e9`
    /// @param remedy what to try; the blocker's own where there is nothing better
    public static NpuflowException refusal(String plan, Blocker blocker, String remedy) {
        return NpuflowException.badInput("NPF-240", plan, "%s: %s".formatted(blocker.launch(), blocker.message()), "a plan that places on the device", remedy);
    }
}
