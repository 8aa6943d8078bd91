package dev.npuflow.npu.aie.gemv;

import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.aie.flow.Configuration;
import dev.npuflow.npu.aie.limit.Limit;
import dev.npuflow.npu.aie.placement.AieKernel;
import dev.npuflow.npu.aie.placement.Sizes;
import dev.npuflow.npu.kernel.swiglu.GemvSwigluRmsKernel;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.BenchmarkBuild;
import dev.npuflow.npu.machine.Tiling;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// `gemv_swiglu_rms`: k is split over the herd's rows, whose sums are added up down the cascade.
public final class GemvSwigluRms implements AieKernel {

    @Override public KernelId id() {
        return GemvSwigluRmsKernel.ID;
    }

    @Override public List<String> tileSizes() {
        return List.of("tile_m", "m_input");
    }

    @Override public boolean choosesTiles() {
        return false;
    }

    @Override public BenchmarkBuild benchmark() {
        return new BenchmarkBuild(4, true, 1);
    }

    @Override public List<Limit> limits() {
        return GemvSwigluRmsLimits.ALL;
    }

    @Override public List<Configuration> configurations(LaunchDescription launch, AieHardware device) {
        return List.of(new Configuration(launch, new GemvFlow(GemvFlow.Form.CASCADE)));
    }

    /// Rows, reduction length and the cascade are fixed when the object is built.
    @Override public Optional<String> linkedObject(LaunchDescription launch) {
        return Optional.of("mv_bf16 swiglu: tile_m %d, m_input %d, k %d in %d".formatted(launch.tile().get("tile_m"), launch.tile().get("m_input"),
                launch.shape().get("k"), launch.herdRows()));
    }

    /// Upstream's tile on as many columns as divide the rows.
    @Override public Stream<Tiling> tilings(Map<String, Integer> shape, AieHardware device) {
        return Sizes.columns(shape.get("m"), device).mapToObj(columns -> Tiling.of(columns, device.array().coreRows(), Map.of("tile_m", device.tiles().swigluRows(), "m_input", device.tiles().swigluCallRows())));
    }
}
