package dev.npuflow.npu.aie.elementwise;

import dev.npuflow.npu.aie.array.AieHardware.CoreCycles;
import dev.npuflow.npu.aie.flow.Extents;
import dev.npuflow.npu.aie.flow.Flow;
import dev.npuflow.npu.aie.flow.Lattice;
import dev.npuflow.npu.aie.flow.StreamingFlow;
import dev.npuflow.npu.launch.LaunchDescription;
import java.util.function.ToDoubleFunction;

/// Addition, or SiLU times up: two streams in, one out, tiles of `tile_n` elements.
record ElementwiseFlow(ToDoubleFunction<CoreCycles> vectorCycles) implements Flow {

    private static long tiles(LaunchDescription launch) {
        return Math.ceilDiv((long) Extents.shape(launch, "n"), (long) Extents.tile(launch, "tile_n") * launch.cores());
    }

    @Override public int periods(LaunchDescription launch, int loopTiling) {
        return StreamingFlow.periods(tiles(launch));
    }

    @Override public void lay(LaunchDescription launch, boolean pingPong, int loopTiling, int periods, Lattice lattice) {
        long tiles = Math.min(tiles(launch), (long) periods * StreamingFlow.SHARE);
        int tile = Extents.tile(launch, "tile_n");
        long compute = lattice.cycles(vectorCycles.applyAsDouble(lattice.device().core()) * lattice.vectors(tile));
        new StreamingFlow(launch.cores(), tiles, 2, 2L * tile, 2L * tile, 0, compute).lay(pingPong, lattice);
    }
}
