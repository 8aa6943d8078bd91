package dev.npuflow.npu.aie.placement;

import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.aie.flow.Configuration;
import dev.npuflow.npu.aie.limit.Limit;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.BenchmarkBuild;
import dev.npuflow.npu.machine.Tiling;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/// A kernel on an AIE array: what a launch has to state, where it can be placed, and how data flows while it runs. What it computes is the kernel's.
public interface AieKernel {

    KernelId id();

    /// The kernel that it is a form of, whose extents a launch states.
    default KernelId formOf() {
        return id();
    }

    /// The kernel whose results it has.
    default Optional<KernelId> computedAs() {
        return Optional.of(id());
    }

    /// Names of the tile sizes that a launch states.
    List<String> tileSizes();

    /// How mlir-air's benchmark builds it.
    default BenchmarkBuild benchmark() {
        return BenchmarkBuild.PLAIN;
    }

    /// In the order in which the tool chain meets them.
    List<Limit> limits();

    /// One, or several that run one after the other.
    List<Configuration> configurations(LaunchDescription launch, AieHardware device);

    /// Whether its tile is chosen. Upstream's fused kernels have one, and those that are timed and not computed take what is measured.
    default boolean choosesTiles() {
        return true;
    }

    /// Herds and tiles that divide the shape, best first: the largest herd, of each the largest tile.
    default Stream<Tiling> tilings(Map<String, Integer> shape, AieHardware device) {
        throw new IllegalArgumentException("no tiling rule for kernel %s".formatted(id()));
    }

    /// What an extent must be for a herd and tile to divide it, where some extents have none.
    default String divisible(AieHardware device) {
        return "another shape";
    }

    /// What builds and is doubtful.
    default List<String> warnings(LaunchDescription launch) {
        return List.of();
    }

    /// The object file that the launch's core function comes from; empty for kernels that are generated into the ELF.
    default Optional<String> linkedObject(LaunchDescription launch) {
        return Optional.empty();
    }
}
