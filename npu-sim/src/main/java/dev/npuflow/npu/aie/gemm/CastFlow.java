package dev.npuflow.npu.aie.gemm;

import dev.npuflow.npu.aie.flow.Extents;
import dev.npuflow.npu.aie.flow.Flow;
import dev.npuflow.npu.aie.flow.Lattice;
import dev.npuflow.npu.aie.flow.StreamingFlow;
import dev.npuflow.npu.launch.LaunchDescription;

/// f32 in, bf16 out, elementwise; the second launch of a fused-cast GEMM. Its core loop is that of an addition without the second load.
///
/// @param tile elements of a tile
record CastFlow(int tile) implements Flow {

    private long tiles(LaunchDescription launch) {
        return Math.ceilDiv((long) Extents.shape(launch, "m") * Extents.shape(launch, "n"), (long) tile * launch.cores());
    }

    @Override public int periods(LaunchDescription launch, int loopTiling) {
        return StreamingFlow.periods(tiles(launch));
    }

    @Override public void lay(LaunchDescription launch, boolean pingPong, int loopTiling, int periods, Lattice lattice) {
        long tiles = Math.min(tiles(launch), (long) periods * StreamingFlow.SHARE);
        long compute = lattice.cycles(lattice.device().core().addVector() * lattice.vectors(tile));
        new StreamingFlow(launch.cores(), tiles, 1, 4L * tile, 2L * tile, 0, compute).lay(pingPong, lattice);
    }
}
