package dev.npuflow.workflow.cli.sim;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.machine.DeviceDescription;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Function;

/// The kinds of machine that `npuflow sim` has something for.
final class SimMachines {

    private SimMachines() {}

    /// By kind.
    static List<MachineCommands> all() {
        return ServiceLoader.load(MachineCommands.class, MachineCommands.class.getClassLoader()).stream().map(ServiceLoader.Provider::get)
                .sorted((one, other) -> one.kind().compareTo(other.kind())).toList();
    }

    /// What a command needs of the device's kind.
    ///
    /// @throws NpuflowException NPF-309 where the kind does not have it
    static <T> T require(DeviceDescription device, String command, Function<MachineCommands, Optional<T>> part) {
        List<MachineCommands> all = all();
        return all.stream().filter(machine -> machine.kind().equals(device.kind())).findFirst().flatMap(part).orElseThrow(() -> NpuflowException.badInput("NPF-309",
                "%s of device %s of kind %s".formatted(command, device.name(), device.kind()), "a device of kind "
                        + String.join(" or ", all.stream().filter(machine -> part.apply(machine).isPresent()).map(MachineCommands::kind).toList()), "--device npu2"));
    }
}
