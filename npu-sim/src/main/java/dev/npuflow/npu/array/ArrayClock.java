package dev.npuflow.npu.array;

import dev.npuflow.npu.array.flow.Flows;
import dev.npuflow.npu.array.flow.Lattice;
import dev.npuflow.npu.compiler.ElfDescription;
import dev.npuflow.npu.compiler.Executable;
import dev.npuflow.npu.compiler.LaunchDescription;
import dev.npuflow.npu.device.DeviceDescription;
import dev.npuflow.npu.engine.Outcome;
import dev.npuflow.npu.engine.Recorder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentHashMap;

/// Times ELFs by simulating each launch on the device graph. A launch is simulated once per (device, kernel, shape, herd, tile, flags).
///
/// Launches of one ELF run one after the other. Where an ELF has more than one, each has to be configured before it starts: its predecessor (for the first one,
/// the last one of the previous run) left the array configured for itself.
public final class ArrayClock implements ElfClock {

    private record Key(DeviceDescription device, String kernel, SortedMap<String, Integer> shape, int herdColumns, int herdRows,
            SortedMap<String, Integer> tile, boolean pingPong, int loopTiling) {}

    private record Simulated(long picoseconds, long events, String boundBy) {}

    private final Map<Key, Simulated> simulated = new ConcurrentHashMap<>();

    @Override public ElfTiming time(Executable executable) {
        return time(executable.elf(), executable.device());
    }

    /// The ELF's time needs no kernels, only its description.
    public ElfTiming time(ElfDescription elf, DeviceDescription device) {
        List<ElfTiming.LaunchTiming> launches = new ArrayList<>();
        long now = 0;
        for (LaunchDescription launch : elf.launches()) {
            if (elf.launches().size() > 1) {
                now += device.control().reconfigureBase() + launch.cores() * device.control().reconfigurePerCore();
            }
            Simulated run = simulated.computeIfAbsent(key(launch, elf, device), _ -> simulate(launch, elf, device));
            launches.add(new ElfTiming.LaunchTiming(launch.name(), now, now + run.picoseconds(), run.boundBy()));
            now += run.picoseconds();
        }
        return new ElfTiming(now, launches);
    }

    private static Key key(LaunchDescription launch, ElfDescription elf, DeviceDescription device) {
        return new Key(device, launch.kernel(), launch.shape(), launch.herdColumns(), launch.herdRows(), launch.tile(), elf.pingPong(), elf.loopTiling());
    }

    private static Simulated simulate(LaunchDescription launch, ElfDescription elf, DeviceDescription device) {
        Outcome outcome = run(launch, elf, device, Recorder.SILENT);
        return new Simulated(outcome.end(), outcome.events(), Bound.of(outcome));
    }

    /// Simulates one launch from its first task on, with a recorder listening.
    public static Outcome run(LaunchDescription launch, ElfDescription elf, DeviceDescription device, Recorder recorder) {
        Lattice lattice = new Lattice(device);
        Flows.of(launch.kernel()).lay(launch, elf.pingPong(), elf.loopTiling(), lattice);
        return lattice.graph().run(recorder);
    }
}
