package dev.npuflow.npu.array.flow;

import dev.npuflow.npu.compiler.LaunchDescription;
import dev.npuflow.npu.device.DeviceDescription.CoreCycles;

/// RMSNorm: one row a tile, the weight once to every core.
final class NormFlow implements Flow {

    @Override public void lay(LaunchDescription launch, boolean pingPong, int loopTiling, Lattice lattice) {
        int n = launch.shape().get("n");
        CoreCycles core = lattice.device().core();
        long compute = lattice.cycles(core.normRow() + core.normVector() * Math.ceilDiv(n, 16));
        new StreamingFlow(launch.cores(), Math.ceilDiv(launch.shape().get("rows"), launch.cores()), 1, 2L * n, 2L * n, 2L * n, compute).lay(pingPong, lattice);
    }
}
