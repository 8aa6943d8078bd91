package dev.npuflow.workflow.lowering;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.clock.DeviceHostClock;
import dev.npuflow.npu.clock.ElfTiming;
import dev.npuflow.npu.clock.HostClock;
import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.engine.Picoseconds;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.plan.Argument;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Step;
import dev.npuflow.plan.Transfer;
import dev.npuflow.workflow.lowering.StepTime.Kind;
import dev.npuflow.workflow.lowering.StepTime.Section;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What a plan costs without running it: no weights, no kernels, the same sums as a [DeploymentRun] after its preload charges. A plan that is
/// never compiled can be timed as well, if it places.
public final class PlanTiming {

    private final DeviceDescription device;
    private final LaunchClock clock;
    private final HostClock host;
    private final HostOperationClock operations;
    private final Map<ElfDescription, ElfTiming> elfs = new HashMap<>();

    public PlanTiming(DeviceDescription device, LaunchClock clock) {
        this.device = device;
        this.clock = clock;
        this.host = new DeviceHostClock(device);
        this.operations = new HostOperationClock(device.host());
    }

    /// Every step of one pass in plan order, the layer section once.
    ///
    /// @throws NpuflowException NPF-240 where a call does not place
    /// @param context positions in the KV cache once the pass is done: in prefill the prompt's
    public List<StepCost> pass(Deployment deployment, Phase phase, int context) {
        PhasePlan plan = deployment.phase(phase);
        List<StepCost> costs = new ArrayList<>();
        requirePlacement(deployment, phase);
        section(plan.prologue(), Section.PROLOGUE, 1, context, costs);
        section(plan.layer(), Section.LAYER, deployment.model().layers(), context, costs);
        section(plan.epilogue(), Section.EPILOGUE, 1, context, costs);
        return List.copyOf(costs);
    }

    /// Of one pass.
    public Picoseconds time(Deployment deployment, Phase phase, int context) {
        return Picoseconds.sum(pass(deployment, phase, context).stream().map(StepCost::total));
    }

    private void requirePlacement(Deployment deployment, Phase phase) {
        deployment.phase(phase).calls().filter(call -> !elfs.containsKey(Lowering.lower(call)))
                .flatMap(call -> PlanPlacement.blockers(phase, call, device).stream()).findFirst().ifPresent(blocker -> {
                    throw PlanPlacement.refusal("plan %s of %s".formatted(deployment.hash().substring(0, 12), deployment.model().name()), blocker, "this: " + blocker.remedy());
                });
    }

    private void section(List<Step> steps, Section section, int repeats, int context, List<StepCost> costs) {
        for (Step step : steps) {
            costs.add(switch (step) {
                case NpuCall call -> cost(call, section, repeats);
                case HostOp op -> new StepCost(op.name(), Kind.HOST, section, repeats, Picoseconds.ZERO,
                        new Picoseconds(operations.picoseconds(op, context)), Picoseconds.ZERO, 0, Picoseconds.ZERO, List.of());
            });
        }
    }

    private StepCost cost(NpuCall call, Section section, int repeats) {
        long write = 0;
        long read = 0;
        long bytes = 0;
        for (Argument argument : call.arguments()) {
            if (argument.transfer() == Transfer.EVERY_CALL) {
                write += host.write(argument.bytes());
                bytes += argument.bytes();
            }
            if (argument.readBack()) {
                read += host.read(argument.bytes());
            }
        }
        ElfTiming elf = elfs.computeIfAbsent(Lowering.lower(call), description -> clock.time(description, device, LaunchClock.Packaging.ELF));
        return new StepCost(call.name(), Kind.NPU, section, repeats, new Picoseconds(write), new Picoseconds(host.dispatch() + elf.picoseconds()),
                new Picoseconds(read), bytes, new Picoseconds(host.dispatch()),
                elf.launches());
    }
}
