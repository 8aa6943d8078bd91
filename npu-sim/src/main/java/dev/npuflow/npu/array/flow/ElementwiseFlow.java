package dev.npuflow.npu.array.flow;

import dev.npuflow.npu.compiler.LaunchDescription;
import dev.npuflow.npu.device.DeviceDescription.CoreCycles;
import java.util.function.ToDoubleFunction;

/// Addition, or SiLU times up: two streams in, one out, tiles of `tile_n` elements.
record ElementwiseFlow(ToDoubleFunction<CoreCycles> vectorCycles) implements Flow {

    @Override public void lay(LaunchDescription launch, boolean pingPong, int loopTiling, Lattice lattice) {
        int tile = launch.tile().get("tile_n");
        long tiles = Math.ceilDiv(launch.shape().get("n"), (long) tile * launch.cores());
        long compute = lattice.cycles(vectorCycles.applyAsDouble(lattice.device().core()) * Math.ceilDiv(tile, 16));
        new StreamingFlow(launch.cores(), tiles, 2, 2L * tile, 2L * tile, 0, compute).lay(pingPong, lattice);
    }
}
