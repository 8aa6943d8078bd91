package dev.npuflow.workflow.cli.sim.aie;

import dev.npuflow.npu.aie.AieMachine;
import dev.npuflow.npu.aie.Probe;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.workflow.cli.View;
import dev.npuflow.workflow.cli.sim.MachineCommands;
import java.util.Optional;
import java.util.function.Function;

/// `kind: aie`.
public final class AieCommands implements MachineCommands {

    @Override public String kind() {
        return AieMachine.KIND;
    }

    @Override public Optional<Function<DeviceDescription, View>> probe() {
        return Optional.of(device -> ProbeView.of(device.name(), Probe.run(device)));
    }

    @Override public Optional<Validation> validation() {
        return Optional.of(new MeasuredRows());
    }
}
