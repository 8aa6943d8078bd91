package dev.npuflow.npu.array.flow;

import dev.npuflow.npu.compiler.LaunchDescription;

/// f32 in, bf16 out, elementwise; the second launch of a fused-cast GEMM. Its core loop is that of an addition without the second load.
final class CastFlow implements Flow {

    private static final int TILE = 2048;

    private static long tiles(LaunchDescription launch) {
        return Math.ceilDiv((long) Extents.shape(launch, "m") * Extents.shape(launch, "n"), (long) TILE * launch.cores());
    }

    @Override public int periods(LaunchDescription launch, int loopTiling) {
        return StreamingFlow.periods(tiles(launch));
    }

    @Override public void lay(LaunchDescription launch, boolean pingPong, int loopTiling, int periods, Lattice lattice) {
        long tiles = Math.min(tiles(launch), (long) periods * StreamingFlow.SHARE);
        long compute = lattice.cycles(lattice.device().core().addVector() * Math.ceilDiv(TILE, 16));
        new StreamingFlow(launch.cores(), tiles, 1, 4L * TILE, 2L * TILE, 0, compute).lay(pingPong, lattice);
    }
}
