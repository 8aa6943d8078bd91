package dev.npuflow.npu.kernel;

import dev.npuflow.npu.compiler.LaunchDescription;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// One kernel, in one place: what it may be asked for, where it can be placed, and what it computes.
public interface Kernel extends KernelDesign {

    /// Port name to direction.
    default SortedMap<String, PortDirection> ports() {
        SortedMap<String, PortDirection> directions = new TreeMap<>();
        signature().ports().forEach(port -> directions.put(port.name(), port.direction()));
        return Collections.unmodifiableSortedMap(directions);
    }

    /// Computes the launch on device memory: bf16 in, fp32 accumulate, bf16 out, round to nearest even.
    void execute(LaunchDescription launch, Operands operands);
}
