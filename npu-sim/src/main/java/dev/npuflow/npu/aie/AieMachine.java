package dev.npuflow.npu.aie;

import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.device.Accuracy;
import dev.npuflow.npu.device.DeviceFile;
import dev.npuflow.npu.device.FieldReader;
import dev.npuflow.npu.device.HostCosts;
import dev.npuflow.npu.device.Trait;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Machine;

/// `kind: aie`.
public final class AieMachine implements Machine {

    /// As device files write it.
    public static final String KIND = "aie";

    @Override public String kind() {
        return KIND;
    }

    @Override public DeviceDescription describe(DeviceFile file) {
        FieldReader fields = new FieldReader(file);
        AieDevice device = new AieDevice(file.name(), AieHardware.read(fields), HostCosts.read(fields), Accuracy.read(fields), Trait.read(fields));
        fields.done();
        return device;
    }
}
