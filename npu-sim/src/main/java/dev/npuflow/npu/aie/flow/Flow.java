package dev.npuflow.npu.aie.flow;

import dev.npuflow.npu.launch.LaunchDescription;

/// Lays one launch of a kernel on the array, whole or only its first periods: a launch does the same again and again, so that a few periods tell
/// the rest.
public interface Flow {

    /// How often the launch repeats itself: its sync groups, or its shares of tiles.
    ///
    /// @param loopTiling requested runtime loop tiling of the ELF; 1 for none
    int periods(LaunchDescription launch, int loopTiling);

    /// @param pingPong two buffers instead of one in L1 and L2
    /// @param periods  to lay, at most [#periods(LaunchDescription, int)]
    public void lay(LaunchDescription launch, boolean pingPong, int loopTiling, int periods, Lattice lattice);
}
