package dev.npuflow.npu.array.flow;

import dev.npuflow.npu.compiler.LaunchDescription;
import dev.npuflow.npu.device.DeviceDescription.CoreCycles;

/// RoPE: one row and one table row a tile.
final class RopeFlow implements Flow {

    @Override public void lay(LaunchDescription launch, boolean pingPong, int loopTiling, Lattice lattice) {
        int headDim = launch.shape().get("head_dim");
        CoreCycles core = lattice.device().core();
        long compute = lattice.cycles(core.ropeRow() + core.ropeVector() * Math.ceilDiv(headDim, 16));
        new StreamingFlow(launch.cores(), Math.ceilDiv(launch.shape().get("rows"), launch.cores()), 2, 2L * headDim, 2L * headDim, 0, compute).lay(pingPong, lattice);
    }
}
