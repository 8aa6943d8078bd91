package dev.npuflow.npu.aie.elementwise;

import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.aie.array.AieHardware.CoreCycles;
import dev.npuflow.npu.aie.flow.Configuration;
import dev.npuflow.npu.aie.limit.Limit;
import dev.npuflow.npu.aie.placement.AieKernel;
import dev.npuflow.npu.kernel.add.EltwiseAddKernel;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.BenchmarkBuild;
import dev.npuflow.npu.machine.Tiling;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// `eltwise_add`.
public final class EltwiseAdd implements AieKernel {

    @Override public KernelId id() {
        return EltwiseAddKernel.ID;
    }

    @Override public List<String> tileSizes() {
        return List.of("tile_n");
    }

    @Override public BenchmarkBuild benchmark() {
        return new BenchmarkBuild(1, true, 4);
    }

    @Override public List<Limit> limits() {
        return ElementwiseLimits.ALL;
    }

    @Override public List<Configuration> configurations(LaunchDescription launch, AieHardware device) {
        return List.of(new Configuration(launch, new ElementwiseFlow(CoreCycles::addVector)));
    }

    /// On record: 245,760 elements in tiles of 2048 came back as zeros; tiles of 1920 did not.
    @Override public List<String> warnings(LaunchDescription launch) {
        return launch.shape().get("n") == 245_760 && launch.tile().get("tile_n") == 2048
                ? List.of("%s: n 245760 with tile_n 2048 gave zeros on silicon; use 1920".formatted(launch.name()))
                : List.of();
    }

    @Override public Stream<Tiling> tilings(Map<String, Integer> shape, AieHardware device) {
        return ElementwiseTilings.of(shape.get("n"), device);
    }

    @Override public String divisible(AieHardware device) {
        return ElementwiseTilings.divisible(device);
    }
}
