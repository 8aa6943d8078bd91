package dev.npuflow.npu.kernel;

import dev.npuflow.npu.compiler.Blocker;
import dev.npuflow.npu.compiler.ElfDescription;
import dev.npuflow.npu.compiler.LaunchDescription;
import dev.npuflow.npu.device.DeviceDescription;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// One kernel, in one place: what it may be asked for, what it computes, and how data flows through the array while it does.
public interface Kernel {

    /// The name that launches use.
    String id();

    /// What a launch has to state.
    KernelSignature signature();

    /// Port name to direction.
    default SortedMap<String, PortDirection> ports() {
        SortedMap<String, PortDirection> directions = new TreeMap<>();
        signature().ports().forEach(port -> directions.put(port.name(), port.direction()));
        return Collections.unmodifiableSortedMap(directions);
    }

    /// Limits that a launch breaks; empty if it can be placed. `elf` gives the flags and the neighbours. The launch states all
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

    /// Computes the launch on device memory: bf16 in, fp32 accumulate, bf16 out, round to nearest even.
    void execute(LaunchDescription launch, Operands operands);
}
