package dev.npuflow.npu.launch;

import java.util.List;

/// What the compiler is asked to build: launches in order, over numbered arguments.
///
/// @param pingPong   double-buffer L1 and L2
/// @param loopTiling requested runtime loop tiling, ≥ 1
public record ElfDescription(String name, List<LaunchDescription> launches, List<ArgumentDescription> arguments, boolean pingPong,
        int loopTiling) {

    public ElfDescription {
        launches = List.copyOf(launches);
        arguments = List.copyOf(arguments);
    }

    /// One argument slot of the ELF; `bytes` is the size of its buffer object.
    public record ArgumentDescription(String name, long bytes) {}
}
