package dev.npuflow.npu.aie;

import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.aie.flow.Configuration;
import dev.npuflow.npu.aie.flow.Lattice;
import dev.npuflow.npu.engine.Graph;
import dev.npuflow.npu.engine.Outcome;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.Stage;
import java.util.SortedMap;

/// A configuration of the array, as part of an ELF.
record AieStage(Configuration array, ElfDescription elf, AieHardware hardware) implements Stage {

    @Override public String name() {
        return array.launch().name();
    }

    @Override public long configuration() {
        return hardware.control().reconfigureBase() + cores() * hardware.control().reconfigurePerCore();
    }

    @Override public String configurationLabel() {
        return "configure " + cores() + " cores";
    }

    private int cores() {
        return array.launch().cores();
    }

    /// Two that differ in a name or a constant only take the same time.
    private record TimeKey(KernelId kernel, SortedMap<String, Integer> shape, int herdColumns, int herdRows, SortedMap<String, Integer> tile, boolean pingPong,
            int loopTiling) {}

    @Override public Object timeKey() {
        LaunchDescription launch = array.launch();
        return new TimeKey(launch.kernel(), launch.shape(), launch.herdColumns(), launch.herdRows(), launch.tile(), elf.pingPong(), elf.loopTiling());
    }

    @Override public int periods() {
        return array.flow().periods(array.launch(), elf.loopTiling());
    }

    @Override public Graph lay(int periods) {
        Lattice lattice = new Lattice(hardware);
        array.flow().lay(array.launch(), elf.pingPong(), elf.loopTiling(), periods, lattice);
        return lattice.graph();
    }

    @Override public String boundBy(Outcome outcome) {
        return Bound.of(outcome);
    }

    @Override public String group(String component) {
        String[] words = component.split(" ");
        String last = words[words.length - 1];
        return last.matches("\\d\\d(\\.\\d)?") ? "column " + last.substring(0, 2) : "array";
    }
}
