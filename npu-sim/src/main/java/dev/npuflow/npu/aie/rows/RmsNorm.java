package dev.npuflow.npu.aie.rows;

import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.aie.flow.BroadcastFlow;
import dev.npuflow.npu.aie.flow.Configuration;
import dev.npuflow.npu.aie.limit.Limit;
import dev.npuflow.npu.aie.placement.AieKernel;
import dev.npuflow.npu.kernel.rmsnorm.RmsNormKernel;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.BenchmarkBuild;
import dev.npuflow.npu.machine.Tiling;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// `rms_norm`: every core normalizes whole rows.
public final class RmsNorm implements AieKernel {

    @Override public KernelId id() {
        return RmsNormKernel.ID;
    }

    @Override public List<String> tileSizes() {
        return List.of();
    }

    @Override public BenchmarkBuild benchmark() {
        return new BenchmarkBuild(1, true, 4);
    }

    @Override public List<Limit> limits() {
        return RmsNormLimits.ALL;
    }

    @Override public List<Configuration> configurations(LaunchDescription launch, AieHardware device) {
        return List.of(new Configuration(launch, new BroadcastFlow((core, vectors) -> core.normRow() + core.normVector() * vectors)));
    }

    @Override public Stream<Tiling> tilings(Map<String, Integer> shape, AieHardware device) {
        return RowHerds.of(shape, device);
    }
}
