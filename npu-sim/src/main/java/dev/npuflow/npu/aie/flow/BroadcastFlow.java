package dev.npuflow.npu.aie.flow;

import dev.npuflow.npu.aie.array.AieHardware.CoreCycles;
import dev.npuflow.npu.launch.LaunchDescription;

/// RMSNorm and bias add: one row a tile, the weight or bias once to every core. A row of more than 1023 words does not fit one dimension of a BD;
/// it is split, and a split transfer is not double-buffered [inferred from RMSNorm of 2048 × 2048 against 2048 × 1024].
///
/// @param rowCycles of a row of so many vectors
public record BroadcastFlow(RowCycles rowCycles) implements Flow {

    @FunctionalInterface
    public interface RowCycles {
        double of(CoreCycles core, int vectors);
    }

    private static long tiles(LaunchDescription launch) {
        return Math.ceilDiv(Extents.shape(launch, "rows"), launch.cores());
    }

    @Override public int periods(LaunchDescription launch, int loopTiling) {
        return StreamingFlow.periods(tiles(launch));
    }

    @Override public void lay(LaunchDescription launch, boolean pingPong, int loopTiling, int periods, Lattice lattice) {
        long tiles = Math.min(tiles(launch), (long) periods * StreamingFlow.SHARE);
        int n = Extents.shape(launch, "n");
        long compute = lattice.cycles(rowCycles.of(lattice.device().core(), lattice.vectors(n)));
        boolean split = n / 2 > lattice.device().dma().maximumWrap();
        new StreamingFlow(launch.cores(), tiles, 1, 2L * n, 2L * n, 2L * n, compute)
                .lay(pingPong && !split, lattice);
    }
}
