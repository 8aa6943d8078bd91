package dev.npuflow.npu.array.flow;

import dev.npuflow.npu.compiler.LaunchDescription;

/// f32 in, bf16 out, elementwise; the second launch of a fused-cast GEMM. Its core loop is that of an addition without the second load.
final class CastFlow implements Flow {

    private static final int TILE = 2048;

    @Override public void lay(LaunchDescription launch, boolean pingPong, int loopTiling, Lattice lattice) {
        long elements = (long) launch.shape().get("m") * launch.shape().get("n");
        long tiles = Math.ceilDiv(elements, (long) TILE * launch.cores());
        long compute = lattice.cycles(lattice.device().core().addVector() * Math.ceilDiv(TILE, 16));
        new StreamingFlow(launch.cores(), tiles, 1, 4L * TILE, 2L * TILE, 0, compute).lay(pingPong, lattice);
    }
}
