package dev.npuflow.npu.aie.elementwise;

import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.aie.array.AieHardware.CoreCycles;
import dev.npuflow.npu.aie.flow.Configuration;
import dev.npuflow.npu.aie.limit.Limit;
import dev.npuflow.npu.aie.placement.AieKernel;
import dev.npuflow.npu.kernel.silu.SiluMulKernel;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.Tiling;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// `silu_mul`.
public final class SiluMul implements AieKernel {

    @Override public KernelId id() {
        return SiluMulKernel.ID;
    }

    @Override public List<String> tileSizes() {
        return List.of("tile_n");
    }

    @Override public List<Limit> limits() {
        return ElementwiseLimits.ALL;
    }

    @Override public List<Configuration> configurations(LaunchDescription launch, AieHardware device) {
        return List.of(new Configuration(launch, new ElementwiseFlow(CoreCycles::siluVector)));
    }

    /// The tile is fixed when the object is built.
    @Override public Optional<String> linkedObject(LaunchDescription launch) {
        return Optional.of("silu_and_mul: tile_n %d".formatted(launch.tile().get("tile_n")));
    }

    @Override public Stream<Tiling> tilings(Map<String, Integer> shape, AieHardware device) {
        return ElementwiseTilings.of(shape.get("n"), device);
    }

    @Override public String divisible(AieHardware device) {
        return ElementwiseTilings.divisible(device);
    }
}
