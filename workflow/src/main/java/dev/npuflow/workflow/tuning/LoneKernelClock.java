package dev.npuflow.workflow.tuning;

import dev.npuflow.npu.clock.DeviceHostClock;
import dev.npuflow.npu.clock.ElfTiming;
import dev.npuflow.npu.clock.LaunchClock;
import dev.npuflow.npu.compiler.Compilation;
import dev.npuflow.npu.compiler.Compiler;
import dev.npuflow.npu.launch.Blocker;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.plan.Herd;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Times a kernel as mlir-air's benchmark does: the same design again and again, from start to wait, no buffer object synced.
public final class LoneKernelClock {

    /// So many candidates are simulated, in the order in which tiles are usually chosen.
    static final int MOST_SIMULATED = 256;

    private final DeviceDescription device;
    private final LaunchClock clock = new LaunchClock();
    private final DeviceHostClock host;

    public LoneKernelClock(DeviceDescription device) {
        this.device = device;
        this.host = new DeviceHostClock(device);
    }

    /// @param boundBy the resource that was busy longest
    public record Ranked(LoneKernel kernel, double microseconds, String boundBy) {}

    /// @param ranking   fastest first; equal times in the usual order of tiles
    /// @param legal     candidates that place
    /// @param simulated of these
    /// @param limits    where none places: the limits that they break, first those that rule out most
    public record Tuning(List<Ranked> ranking, int candidates, int legal, int simulated, List<BrokenLimit> limits) {

        public Tuning {
            ranking = List.copyOf(ranking);
            limits = List.copyOf(limits);
        }
    }

    /// A limit of the device that candidates break.
    ///
    /// @param candidates how many
    /// @param last       the last of them, whose tile is the smallest
    /// @param blocker    what it is told
    public record BrokenLimit(int candidates, LoneKernel last, Blocker blocker) {}

    /// Limits that the kernel breaks; empty if it places.
    public List<Blocker> blockers(LoneKernel kernel) {
        if (kernel.timedOnly()) {
            return Compiler.placement(kernel.elf(), device);
        }
        return switch (Compiler.compile(kernel.elf(), device)) {
            case Compilation.Built _ -> List.of();
            case Compilation.Refused refused -> refused.blockers();
        };
    }

    /// What places and is doubtful.
    public List<String> warnings(LoneKernel kernel) {
        return blockers(kernel).isEmpty() ? device.warnings(kernel.elf().launches().getFirst()) : List.of();
    }

    public Ranked time(LoneKernel kernel) {
        ElfTiming timing = clock.time(kernel.elf(), device, LaunchClock.Packaging.XCLBIN);
        return new Ranked(kernel, host.repeated(timing).microseconds(), timing.launches().getFirst().boundBy());
    }

    /// Every herd and tile that divides the shape, with the asked ping-pong or with both.
    ///
    /// @param pingPong flags to try
    public Tuning tune(LoneKernel untiled, List<Boolean> pingPong) {
        List<LoneKernel> candidates = new ArrayList<>();
        device.tilings(untiled.id(), untiled.shape()).forEach(tiling ->
                pingPong.forEach(flag -> candidates.add(untiled.tiled(new Herd(tiling.herdColumns(), tiling.herdRows()), tiling.tile(), flag))));
        List<Checked> checked = candidates.stream().map(kernel -> new Checked(kernel, blockers(kernel))).toList();
        List<LoneKernel> legal = checked.stream().filter(each -> each.blockers().isEmpty()).map(Checked::kernel).toList();
        List<Ranked> ranking = legal.stream().limit(MOST_SIMULATED).parallel().map(this::time).toList().stream()
                .sorted(Comparator.comparingDouble(Ranked::microseconds)).toList();
        return new Tuning(ranking, candidates.size(), legal.size(), ranking.size(), legal.isEmpty() ? limits(checked) : List.of());
    }

    private record Checked(LoneKernel kernel, List<Blocker> blockers) {}

    private static List<BrokenLimit> limits(List<Checked> checked) {
        Map<String, BrokenLimit> limits = new TreeMap<>();
        for (Checked each : checked) {
            Map<String, Blocker> broken = new TreeMap<>();
            each.blockers().forEach(blocker -> broken.putIfAbsent(blocker.limit(), blocker));
            broken.forEach((limit, blocker) -> limits.merge(limit, new BrokenLimit(1, each.kernel(), blocker),
                    (before, one) -> new BrokenLimit(before.candidates() + 1, one.last(), one.blocker())));
        }
        return limits.values().stream().sorted(Comparator.comparingInt(BrokenLimit::candidates).reversed()).toList();
    }
}
