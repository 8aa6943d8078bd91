package dev.npuflow.npu.aie.gemv;

import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.aie.flow.Configuration;
import dev.npuflow.npu.aie.limit.Limit;
import dev.npuflow.npu.aie.placement.AieKernel;
import dev.npuflow.npu.aie.placement.Sizes;
import dev.npuflow.npu.kernel.gemvadd.GemvAddKernel;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.BenchmarkBuild;
import dev.npuflow.npu.machine.Tiling;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// `gemv_add`: one core of a column multiplies and hands its rows to the core beside it, which adds.
public final class GemvAdd implements AieKernel {

    @Override public KernelId id() {
        return GemvAddKernel.ID;
    }

    @Override public List<String> tileSizes() {
        return List.of("tile_m");
    }

    @Override public boolean choosesTiles() {
        return false;
    }

    @Override public BenchmarkBuild benchmark() {
        return new BenchmarkBuild(2, true, 1);
    }

    @Override public List<Limit> limits() {
        return GemvAddLimits.ALL;
    }

    @Override public List<Configuration> configurations(LaunchDescription launch, AieHardware device) {
        return List.of(new Configuration(launch, new GemvFlow(GemvFlow.Form.ADD)));
    }

    /// k comes in chunks of one length, so that only the rows are fixed when the object is built.
    @Override public Optional<String> linkedObject(LaunchDescription launch) {
        return Optional.of("mv_bf16 add: tile_m %d".formatted(launch.tile().get("tile_m")));
    }

    /// Upstream's tile on as many columns as divide the rows.
    @Override public Stream<Tiling> tilings(Map<String, Integer> shape, AieHardware device) {
        return Sizes.columns(shape.get("m"), device).mapToObj(columns -> Tiling.of(columns, 2, Map.of("tile_m", device.tiles().gemvAddRows())));
    }
}
