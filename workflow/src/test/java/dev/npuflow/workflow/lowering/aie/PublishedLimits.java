package dev.npuflow.workflow.lowering.aie;

import dev.npuflow.npu.machine.Devices;
import dev.npuflow.npu.machine.Tiling;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.skill.Blocker;
import dev.npuflow.workflow.lowering.CompilerPlacement;
import dev.npuflow.workflow.lowering.TilePlacement;
import java.util.List;
import java.util.stream.Stream;

/// The GEMV rules of the field's notes for NPU2 (docs/upstream.md, "Placement" rules 1 to 7 with "Where npuflow differs", 2 and 3), written here by hand so that tests of tile choice
/// do not depend on the compiler.
public final class PublishedLimits implements TilePlacement {

    private static final int L1 = 64 * 1024;
    private static final int L2 = 512 * 1024;
    private static final int STACK = 1024;

    @Override public List<Blocker> check(NpuCall call) {
        return call.launches().stream().filter(launch -> launch.kernel().equals("gemv"))
                .filter(launch -> !legal(launch, call.options().pingPong() ? 2 : 1, call.options().loopTiling()))
                .map(launch -> new Blocker("GEMV", launch.name(), "a limit of gemv", "the hardware", "a smaller tile")).toList();
    }

    @Override public Stream<Tiling> tilings(Launch launch) {
        return new CompilerPlacement(Devices.load("npu2", List.of())).tilings(launch);
    }

    private static boolean legal(Launch launch, int buffers, int tiling) {
        int m = launch.shape().get("m");
        int k = launch.shape().get("k");
        int columns = launch.herd().columns();
        int tileM = launch.tile().get("tile_m");
        int mInput = launch.tile().get("m_input");
        int trips = m / (tileM * columns);
        int factor = 1;
        for (int i = 1; i <= Math.min(tiling, trips); i++) {
            factor = trips % i == 0 ? i : factor;
        }
        return m % (tileM * columns) == 0 && tileM % mInput == 0 && k % 64 == 0
                && columns * tileM * k * 2 + columns * tileM * 2 <= L2
                && trips / factor - 1 <= 255 && m / (columns * mInput) / factor - 1 <= 255
                && buffers * (mInput * k * 2 + k * 2 + tileM * 2) + STACK <= L1;
    }
}
