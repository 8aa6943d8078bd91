package dev.npuflow.npu.array.flow;

import dev.npuflow.npu.compiler.LaunchDescription;

/// Lays one launch of a kernel on the array.
public interface Flow {

    /// @param pingPong   two buffers instead of one in L1 and L2
    /// @param loopTiling requested runtime loop tiling of the ELF
    void lay(LaunchDescription launch, boolean pingPong, int loopTiling, Lattice lattice);
}
