package dev.npuflow.npu.clock;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.compiler.Compiler;
import dev.npuflow.npu.compiler.Executable;
import dev.npuflow.npu.engine.Outcome;
import dev.npuflow.npu.engine.Recorder;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Times ELFs by simulating each launch on the graph of its machine. A stage is simulated once for each device and all that determines its time.
///
/// Launches of one ELF run one after the other, and each is configured before it starts.
public final class LaunchClock implements ElfClock {

    private record Key(DeviceDescription device, Object stage) {}

    private record Simulated(long picoseconds, long events, String boundBy) {}

    private static final int FEW = 5;
    private static final double STEADY = 1e-4;

    private final Map<Key, Simulated> simulated = new ConcurrentHashMap<>();

    /// How the tool chain packs a design.
    public enum Packaging {
        /// Configured when its context is made: a run of its one launch starts at once. A design of several stages cannot be, and is timed as [#ELF].
        XCLBIN,
        /// Carries its configuration: every run configures every launch.
        ELF
    }

    @Override public ElfTiming time(Executable executable) {
        return placed(executable.elf(), executable.device(), Packaging.ELF);
    }

    /// The time needs no kernels, only the description.
    ///
    /// @throws NpuflowException NPF-345 for what does not place: it has no time
    public ElfTiming time(ElfDescription elf, DeviceDescription device, Packaging packaging) {
        requirePlacement(elf, device);
        return placed(elf, device, packaging);
    }

    static void requirePlacement(ElfDescription elf, DeviceDescription device) {
        Compiler.placement(elf, device).stream().findFirst().ifPresent(blocker -> {
            throw NpuflowException.badInput("NPF-345", "%s on %s (%s)".formatted(blocker.launch(), device.name(), blocker.message()), "a launch that places",
                    "this: " + blocker.remedy());
        });
    }

    private ElfTiming placed(ElfDescription elf, DeviceDescription device, Packaging packaging) {
        List<List<Stage>> stages = elf.launches().stream().map(launch -> device.stages(launch, elf)).toList();
        boolean configured = startsConfigured(stages, packaging);
        List<ElfTiming.LaunchTiming> launches = new ArrayList<>();
        long now = 0;
        for (int launch = 0; launch < stages.size(); launch++) {
            long start = -1;
            String bound = "";
            long longest = -1;
            for (Stage stage : stages.get(launch)) {
                if (!configured) {
                    now += stage.configuration();
                }
                start = start < 0 ? now : start;
                Simulated run = simulated.computeIfAbsent(new Key(device, stage.timeKey()), _ -> simulate(stage));
                now += run.picoseconds();
                if (run.picoseconds() > longest) {
                    longest = run.picoseconds();
                    bound = run.boundBy();
                }
            }
            launches.add(new ElfTiming.LaunchTiming(elf.launches().get(launch).name(), start, now, bound));
        }
        return new ElfTiming(now, launches);
    }

    static boolean startsConfigured(List<List<Stage>> stages, Packaging packaging) {
        return packaging == Packaging.XCLBIN && stages.stream().mapToInt(List::size).sum() == 1;
    }

    /// Simulates one period, two, three and so on until one more takes as long as the one before it did; the rest is then known. Else the stage
    /// whole.
    private static Simulated simulate(Stage stage) {
        int periods = stage.periods();
        long events = 0;
        long period = 0;
        long end = 0;
        for (int few = 1; few <= FEW && few < periods; few++) {
            Outcome outcome = stage.lay(few).run(Recorder.SILENT);
            events += outcome.events();
            long before = period;
            period = outcome.end() - end;
            end = outcome.end();
            if (few > 2 && Math.abs(period - before) <= period * STEADY) {
                return new Simulated(end + (periods - few) * period, events, stage.boundBy(outcome));
            }
        }
        Outcome whole = stage.lay(periods).run(Recorder.SILENT);
        return new Simulated(whole.end(), events + whole.events(), stage.boundBy(whole));
    }
}
