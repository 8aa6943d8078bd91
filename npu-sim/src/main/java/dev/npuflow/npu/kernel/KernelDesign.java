package dev.npuflow.npu.kernel;

import dev.npuflow.npu.compiler.Blocker;
import dev.npuflow.npu.compiler.ElfDescription;
import dev.npuflow.npu.compiler.LaunchDescription;
import dev.npuflow.npu.device.DeviceDescription;
import java.util.List;
import java.util.Optional;

/// What can be placed on the array and timed there: what a launch may ask for, and the limits that hold it. A design that npuflow also computes is a [Kernel].
public interface KernelDesign {

    /// The name that launches use.
    String id();

    /// What a launch has to state.
    KernelSignature signature();

    /// Limits that a launch breaks; empty if it can be placed. `elf` gives the flags and the neighbours. The launch states the extents and tiles
    /// that the signature asks for, every extent ≥ 1.
    List<Blocker> check(LaunchDescription launch, ElfDescription elf, DeviceDescription device);

    /// What builds and is doubtful.
    default List<String> warnings(LaunchDescription launch) {
        return List.of();
    }

    /// The object file that the launch's core function comes from, by all that is fixed when it is built; empty for kernels
    /// that are generated into the ELF. Two objects under one symbol do not link.
    default Optional<String> linkedObject(LaunchDescription launch) {
        return Optional.empty();
    }
}
