package dev.npuflow.npu.machine;

import dev.npuflow.npu.device.DeviceFile;

/// A kind of machine. It is found by the `kind:` of a device file among the services of this type; its package is the only place that knows it.
public interface Machine {

    /// As device files write it, such as `aie`.
    String kind();

    /// Reads a device file of this kind.
    ///
    /// @throws dev.npuflow.fault.NpuflowException NPF-303 to NPF-306 naming file, field and line
    DeviceDescription describe(DeviceFile file);
}
