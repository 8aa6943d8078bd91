package dev.npuflow.npu.aie.rows;

import dev.npuflow.npu.aie.array.AieHardware.CoreCycles;
import dev.npuflow.npu.aie.flow.Extents;
import dev.npuflow.npu.aie.flow.Flow;
import dev.npuflow.npu.aie.flow.Lattice;
import dev.npuflow.npu.aie.flow.StreamingFlow;
import dev.npuflow.npu.launch.LaunchDescription;

/// RoPE: one row and one table row a tile.
final class RopeFlow implements Flow {

    private static long tiles(LaunchDescription launch) {
        return Math.ceilDiv(Extents.shape(launch, "rows"), launch.cores());
    }

    @Override public int periods(LaunchDescription launch, int loopTiling) {
        return StreamingFlow.periods(tiles(launch));
    }

    @Override public void lay(LaunchDescription launch, boolean pingPong, int loopTiling, int periods, Lattice lattice) {
        long tiles = Math.min(tiles(launch), (long) periods * StreamingFlow.SHARE);
        int headDim = Extents.shape(launch, "head_dim");
        CoreCycles core = lattice.device().core();
        long compute = lattice.cycles(core.ropeRow() + core.ropeVector() * lattice.vectors(headDim));
        new StreamingFlow(launch.cores(), tiles, 2, 2L * headDim, 2L * headDim, 0, compute).lay(pingPong, lattice);
    }
}
