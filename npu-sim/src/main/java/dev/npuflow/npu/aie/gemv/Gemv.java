package dev.npuflow.npu.aie.gemv;

import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.aie.flow.Configuration;
import dev.npuflow.npu.aie.limit.Limit;
import dev.npuflow.npu.aie.placement.AieKernel;
import dev.npuflow.npu.aie.placement.Sizes;
import dev.npuflow.npu.kernel.gemv.GemvKernel;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.BenchmarkBuild;
import dev.npuflow.npu.machine.Tiling;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// `gemv`: one core a column.
public final class Gemv implements AieKernel {

    @Override public KernelId id() {
        return GemvKernel.ID;
    }

    @Override public List<String> tileSizes() {
        return List.of("tile_m", "m_input");
    }

    @Override public BenchmarkBuild benchmark() {
        return new BenchmarkBuild(1, false, 4);
    }

    @Override public List<Limit> limits() {
        return GemvLimits.ALL;
    }

    @Override public List<Configuration> configurations(LaunchDescription launch, AieHardware device) {
        return List.of(new Configuration(launch, new GemvFlow(GemvFlow.Form.PLAIN)));
    }

    /// The object's output rows a call and its reduction length are fixed when it is built.
    @Override public Optional<String> linkedObject(LaunchDescription launch) {
        return Optional.of("mv: tile_m %d, m_input %d, k %d".formatted(launch.tile().get("tile_m"), launch.tile().get("m_input"),
                launch.shape().get("k")));
    }

    /// Even rows of a tile, since the result moves in words.
    @Override public Stream<Tiling> tilings(Map<String, Integer> shape, AieHardware device) {
        int m = shape.get("m");
        return Sizes.columns(m, device).boxed().flatMap(columns -> Sizes.divisors(m / columns, m / columns).filter(tileM -> tileM % 2 == 0).boxed()
                .flatMap(tileM -> Sizes.divisors(tileM, tileM).mapToObj(mInput -> Tiling.of(columns, 1, Map.of("tile_m", tileM, "m_input", mInput)))));
    }

    @Override public String divisible(AieHardware device) {
        return "an even m";
    }
}
