package dev.npuflow.workflow.cli;

import dev.npuflow.npu.device.DeviceFile;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/// Which device, with which numbers changed.
public final class DeviceOptions {

    @Option(names = "--device", defaultValue = "npu2", paramLabel = "NAME|FILE",
            description = "npu2, npu1 or a YAML file (default: ${DEFAULT-VALUE})")
    private String device;

    @Option(names = "--set", paramLabel = "FIELD=NUMBER", description = "change one number of the device, such as dram.read_gbps=40; may be repeated")
    private List<String> overrides = new ArrayList<>();

    public DeviceFile file() {
        DeviceFile file = Devices.read(device);
        for (String override : overrides) {
            file = file.with(override);
        }
        return file;
    }

    public DeviceDescription description() {
        return Devices.describe(file());
    }
}
