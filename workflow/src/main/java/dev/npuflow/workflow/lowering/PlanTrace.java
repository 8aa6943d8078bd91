package dev.npuflow.workflow.lowering;

import dev.npuflow.npu.clock.ElfReplay;
import dev.npuflow.npu.clock.ElfTiming.LaunchTiming;
import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.trace.Span;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.Phase;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Step;
import dev.npuflow.workflow.file.TraceFile;
import dev.npuflow.workflow.lowering.StepTime.Kind;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// One pass of a plan as Chrome trace events: host operations and XRT calls with their writes, runs and reads on the host's tracks, launches on the array's,
/// and channels, memtiles and cores below them. An ELF is shown down to its transfers where it runs first; its later runs, which are the same, only down to
/// their launches.
public final class PlanTrace {

    private static final String HOST = "host";

    private final DeviceDescription device;
    private final PlanTiming timing;
    private final Consumer<Span> trace;
    private final Set<ElfDescription> shown = new HashSet<>();
    private long now;
    private int call;

    private PlanTrace(DeviceDescription device, Consumer<Span> trace) {
        this.device = device;
        this.timing = new PlanTiming(device, new LaunchClock());
        this.trace = trace;
    }

    /// @param context positions in the KV cache once the pass is done: in prefill the prompt's
    /// @throws dev.npuflow.fault.NpuflowException NPF-342 when the file cannot be written
    public static void write(Path file, Deployment deployment, DeviceDescription device, Phase phase, int context) {
        TraceFile.write(file, trace -> new PlanTrace(device, trace).pass(deployment, phase, context));
    }

    private void pass(Deployment deployment, Phase phase, int context) {
        PhasePlan plan = deployment.phase(phase);
        List<StepCost> costs = timing.pass(deployment, phase, context);
        int prologue = plan.prologue().size();
        int layer = plan.layer().size();
        steps(plan.prologue(), costs.subList(0, prologue));
        for (int i = 0; i < deployment.model().layers(); i++) {
            long begun = now;
            steps(plan.layer(), costs.subList(prologue, prologue + layer));
            trace.accept(new Span(HOST, "layers", "layer " + i, begun, now, 0, ""));
        }
        steps(plan.epilogue(), costs.subList(prologue + layer, costs.size()));
    }

    private void steps(List<Step> steps, List<StepCost> costs) {
        for (int i = 0; i < steps.size(); i++) {
            StepCost cost = costs.get(i);
            long begun = now;
            if (steps.get(i) instanceof NpuCall npuCall) {
                run(npuCall, cost, "call " + call++);
            }
            now = begun + cost.once().value();
            trace.accept(new Span(HOST, cost.kind() == Kind.NPU ? "XRT calls" : "operations", cost.name(), begun, now, cost.bytesWritten(),
                    cost.kind() == Kind.NPU ? "call " + (call - 1) : ""));
        }
    }

    private void run(NpuCall npuCall, StepCost cost, String correlation) {
        long started = now + cost.write().value();
        long ended = started + cost.run().value();
        part("write", now, started, cost.bytesWritten(), correlation);
        part("run", started, ended, 0, correlation);
        part("read", ended, ended + cost.read().value(), 0, correlation);
        long onArray = started + cost.dispatch().value();
        ElfDescription elf = Lowering.lower(npuCall);
        if (shown.add(elf)) {
            ElfReplay.replay(elf, device, LaunchClock.Packaging.ELF, onArray, correlation, trace);
        } else {
            int number = 0;
            for (LaunchTiming launch : cost.launches()) {
                trace.accept(new Span("array", "launches", launch.launch(), onArray + launch.startPicoseconds(), onArray + launch.endPicoseconds(), 0,
                        correlation + "/launch " + number++));
            }
        }
    }

    private void part(String what, long start, long end, long bytes, String correlation) {
        if (end > start) {
            trace.accept(new Span(HOST, "parts of calls", what, start, end, bytes, correlation));
        }
    }
}
