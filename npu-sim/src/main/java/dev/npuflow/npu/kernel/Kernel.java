package dev.npuflow.npu.kernel;

import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// One kernel: what it may be asked for and what it computes. Where a machine places it, and how data flow meanwhile, is the machine's.
public interface Kernel {

    /// The name that launches use.
    KernelId id();

    /// What a launch has to state.
    KernelSignature signature();

    /// Port name to direction.
    default SortedMap<String, PortDirection> ports() {
        SortedMap<String, PortDirection> directions = new TreeMap<>();
        signature().ports().forEach(port -> directions.put(port.name(), port.direction()));
        return Collections.unmodifiableSortedMap(directions);
    }

    /// Computes the launch on device memory: bf16 in, fp32 accumulate, bf16 out, round to nearest even.
    void execute(LaunchDescription launch, Operands operands);
}
