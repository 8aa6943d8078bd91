package dev.npuflow.npu.machine;

import dev.npuflow.fault.NearestName;
import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.device.DeviceFile;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;

/// The kinds of machine that there are.
final class Machines {

    private Machines() {}

    /// @throws NpuflowException NPF-308 where no machine is of the file's kind
    static Machine of(DeviceFile file) {
        SortedMap<String, Machine> machines = new TreeMap<>();
        ServiceLoader.load(Machine.class, Machine.class.getClassLoader()).forEach(machine -> machines.put(machine.kind(), machine));
        Machine machine = machines.get(file.kind());
        if (machine == null) {
            throw NpuflowException.badInput("NPF-308", file.where("kind") + ": field kind (" + file.kind() + ")", "one of " + String.join(", ", machines.keySet()),
                    "kind: " + NearestName.of(file.kind(), machines.keySet()).orElse("aie"));
        }
        return machine;
    }
}
