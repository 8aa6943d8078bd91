package dev.npuflow.workflow.cli.sim;

import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.workflow.cli.DeviceOptions;
import dev.npuflow.workflow.cli.Output;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// `npuflow sim probe`.
@Command(name = "probe", mixinStandardHelpOptions = true,
        description = "Latency and bandwidth of single transfers on an idle device, beside their limits; on an array from DDR to the cores.")
final class ProbeCommand implements Runnable {

    @Mixin private DeviceOptions device;

    @Mixin private Output output;

    @Override public void run() {
        DeviceDescription description = device.description();
        output.show(SimMachines.require(description, "sim probe", MachineCommands::probe).apply(description));
    }
}
