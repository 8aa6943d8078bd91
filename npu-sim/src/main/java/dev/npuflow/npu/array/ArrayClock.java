package dev.npuflow.npu.array;

import dev.npuflow.npu.NpuException;
import dev.npuflow.npu.array.flow.Flows;
import dev.npuflow.npu.array.flow.Lattice;
import dev.npuflow.npu.array.flow.Stage;
import dev.npuflow.npu.compiler.Compiler;
import dev.npuflow.npu.compiler.ElfDescription;
import dev.npuflow.npu.compiler.Executable;
import dev.npuflow.npu.compiler.LaunchDescription;
import dev.npuflow.npu.device.DeviceDescription;
import dev.npuflow.npu.engine.Graph;
import dev.npuflow.npu.engine.Outcome;
import dev.npuflow.npu.engine.Recorder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

/// Times ELFs by simulating each launch on the device graph. A launch is simulated once per (device, kernel, shape, herd, tile, flags).
///
/// Launches of one ELF run one after the other, and each is configured before it starts.
public final class ArrayClock implements ElfClock {

    private record Key(DeviceDescription device, String kernel, SortedMap<String, Integer> shape, int herdColumns, int herdRows,
            SortedMap<String, Integer> tile, boolean pingPong, int loopTiling) {}

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
    /// @throws NpuException NPF-345 for what does not place: it has no time
    public ElfTiming time(ElfDescription elf, DeviceDescription device, Packaging packaging) {
        requirePlacement(elf, device);
        return placed(elf, device, packaging);
    }

    static void requirePlacement(ElfDescription elf, DeviceDescription device) {
        Compiler.placement(elf, device).stream().findFirst().ifPresent(blocker -> {
            throw new NpuException("NPF-345", "%s on %s (%s)".formatted(blocker.launch(), device.name(), blocker.message()), "a launch that places",
                    blocker.remedy());
        });
    }

    private ElfTiming placed(ElfDescription elf, DeviceDescription device, Packaging packaging) {
        List<ElfTiming.LaunchTiming> launches = new ArrayList<>();
        boolean configured = packaging == Packaging.XCLBIN && elf.launches().stream().mapToInt(launch -> Flows.of(launch).size()).sum() == 1;
        long now = 0;
        for (LaunchDescription launch : elf.launches()) {
            long start = -1;
            String bound = "";
            long longest = -1;
            for (Stage stage : Flows.of(launch)) {
                if (!configured) {
                    now += reconfiguration(stage, device);
                }
                start = start < 0 ? now : start;
                Simulated run = simulated.computeIfAbsent(key(stage.launch(), elf, device), _ -> simulate(stage, elf, device));
                now += run.picoseconds();
                if (run.picoseconds() > longest) {
                    longest = run.picoseconds();
                    bound = run.boundBy();
                }
            }
            launches.add(new ElfTiming.LaunchTiming(launch.name(), start, now, bound));
        }
        return new ElfTiming(now, launches);
    }

    static long reconfiguration(Stage stage, DeviceDescription device) {
        return device.control().reconfigureBase() + stage.cores() * device.control().reconfigurePerCore();
    }

    private static Key key(LaunchDescription launch, ElfDescription elf, DeviceDescription device) {
        return new Key(device, launch.kernel(), launch.shape(), launch.herdColumns(), launch.herdRows(), launch.tile(), elf.pingPong(),
                elf.loopTiling());
    }

    /// Simulates one period, two, three and so on until one more takes as long as the one before it did; the rest is then known. Else the stage
    /// whole.
    private static Simulated simulate(Stage stage, ElfDescription elf, DeviceDescription device) {
        int periods = stage.flow().periods(stage.launch(), elf.loopTiling());
        long events = 0;
        long period = 0;
        long end = 0;
        for (int few = 1; few <= FEW && few < periods; few++) {
            Outcome outcome = graph(stage, elf, device, few).run(Recorder.SILENT);
            events += outcome.events();
            long before = period;
            period = outcome.end() - end;
            end = outcome.end();
            if (few > 2 && Math.abs(period - before) <= period * STEADY) {
                return new Simulated(end + (periods - few) * period, events, Bound.of(outcome));
            }
        }
        Outcome whole = graph(stage, elf, device, periods).run(Recorder.SILENT);
        return new Simulated(whole.end(), events + whole.events(), Bound.of(whole));
    }

    /// Simulates a stage from its first task on, with a recorder listening.
    ///
    /// @param correlation id of the launch, which the spans carry
    public static Outcome run(Stage stage, ElfDescription elf, DeviceDescription device, String correlation, Recorder recorder) {
        return graph(stage, elf, device, stage.flow().periods(stage.launch(), elf.loopTiling())).run(recorder, correlation);
    }

    private static Graph graph(Stage stage, ElfDescription elf, DeviceDescription device, int periods) {
        Lattice lattice = new Lattice(device);
        stage.flow().lay(stage.launch(), elf.pingPong(), elf.loopTiling(), periods, lattice);
        return lattice.graph();
    }
}
