package dev.npuflow.npu.aie.rows;

import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.aie.flow.Configuration;
import dev.npuflow.npu.aie.limit.Limit;
import dev.npuflow.npu.aie.placement.AieKernel;
import dev.npuflow.npu.kernel.rope.RopeKernel;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.Tiling;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// `rope`: every core turns whole rows.
public final class Rope implements AieKernel {

    @Override public KernelId id() {
        return RopeKernel.ID;
    }

    @Override public List<String> tileSizes() {
        return List.of();
    }

    @Override public List<Limit> limits() {
        return RopeLimits.ALL;
    }

    @Override public List<Configuration> configurations(LaunchDescription launch, AieHardware device) {
        return List.of(new Configuration(launch, new RopeFlow()));
    }

    @Override public Stream<Tiling> tilings(Map<String, Integer> shape, AieHardware device) {
        return RowHerds.of(shape, device);
    }
}
