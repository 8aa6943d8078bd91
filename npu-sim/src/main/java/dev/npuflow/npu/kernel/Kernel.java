package dev.npuflow.npu.kernel;

import dev.npuflow.npu.compiler.Blocker;
import dev.npuflow.npu.compiler.ElfDescription;
import dev.npuflow.npu.compiler.LaunchDescription;
import dev.npuflow.npu.device.DeviceDescription;
import java.util.List;
import java.util.SortedMap;

/// One kernel, in one place: what it may be asked for, what it computes, and how data flows through the array while it does.
public interface Kernel {

    /// The name that launches use.
    String id();

    /// Port name to direction.
    SortedMap<String, PortDirection> ports();

    /// Limits that a launch breaks; empty if it can be placed. `elf` gives the flags and the neighbours.
    List<Blocker> check(LaunchDescription launch, ElfDescription elf, DeviceDescription device);

    /// Computes the launch on device memory: bf16 in, fp32 accumulate, bf16 out, round to nearest even.
    void execute(LaunchDescription launch, Operands operands);
}
