package dev.npuflow.npu.runtime;

import dev.npuflow.npu.kernel.Operands;

/// Looks at device memory between the launches of a run: a debugger's border. It charges no time, and what it does not write stays as it is.
@FunctionalInterface
public interface LaunchInspector {

    /// One that does not look.
    LaunchInspector NONE = (_, _) -> { };

    /// @param launch   index of the launch that has just run
    /// @param operands its ports on the device side; those that it writes may be written here too
    void afterLaunch(int launch, Operands operands);
}
