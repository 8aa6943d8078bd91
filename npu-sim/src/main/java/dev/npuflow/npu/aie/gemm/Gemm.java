package dev.npuflow.npu.aie.gemm;

import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.aie.array.AieHardware.CoreCycles;
import dev.npuflow.npu.aie.flow.Configuration;
import dev.npuflow.npu.aie.flow.Extents;
import dev.npuflow.npu.aie.limit.Limit;
import dev.npuflow.npu.aie.placement.AieKernel;
import dev.npuflow.npu.aie.placement.Sizes;
import dev.npuflow.npu.kernel.gemm.GemmKernel;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.BenchmarkBuild;
import dev.npuflow.npu.machine.Tiling;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// `gemm`, with a cast of its own where the sums leave the cores as fp32.
public final class Gemm implements AieKernel {

    static final BenchmarkBuild BENCHMARK = new BenchmarkBuild(4, true, 2);
    static final List<String> TILE_SIZES = List.of("tile_m", "tile_k_l2", "tile_k_l1", "tile_n");

    @Override public KernelId id() {
        return GemmKernel.ID;
    }

    @Override public List<String> tileSizes() {
        return TILE_SIZES;
    }

    @Override public BenchmarkBuild benchmark() {
        return BENCHMARK;
    }

    @Override public List<Limit> limits() {
        return GemmLimits.ALL;
    }

    @Override public List<Configuration> configurations(LaunchDescription launch, AieHardware device) {
        return Extents.tile(launch, "tile_m") > 0 && GemmMethod.of(launch, device) == GemmMethod.FUSED_CAST ? TimedGemm.withCast(launch, device)
                : List.of(new Configuration(launch, new GemmFlow(CoreCycles::gemmMacs, 2, false)));
    }

    @Override public List<String> warnings(LaunchDescription launch) {
        return GemmLimits.warnings(launch);
    }

    /// The object's blocking is fixed when it is built.
    @Override public Optional<String> linkedObject(LaunchDescription launch) {
        return Optional.of(object(launch));
    }

    static String object(LaunchDescription launch) {
        return "mm: tile_m %d, tile_k_l1 %d, tile_n %d".formatted(launch.tile().get("tile_m"), launch.tile().get("tile_k_l1"), launch.tile().get("tile_n"));
    }

    /// A herd of one row builds and fails when it is run, so that rows are all or half of a column.
    @Override public Stream<Tiling> tilings(Map<String, Integer> shape, AieHardware device) {
        int m = shape.get("m");
        int k = shape.get("k");
        int n = shape.get("n");
        int coreRows = device.array().coreRows();
        int largestTileM = (long) m * k * n >= device.tiles().largeGemmMacs() ? device.tiles().largeGemmRows() : device.functions().gemmDrainedRows();
        return Sizes.columns(m, device).boxed().flatMap(columns -> IntStream.of(coreRows, coreRows / 2).filter(rows -> rows > 1 && n % rows == 0).boxed()
                .flatMap(rows -> Sizes.vectors(m / columns, largestTileM, device).boxed()
                        .flatMap(tileM -> Sizes.powersOfTwo(k, device.tiles().gemmStepL2(), device).boxed()
                                .flatMap(tileK -> Sizes.vectors(n / rows, device.tiles().gemmColumns(), device).boxed()
                                        .flatMap(tileN -> Sizes.powersOfTwo(tileK, device.tiles().gemmStepL1(), device)
                                                .mapToObj(inner -> Tiling.of(columns, rows, Map.of("tile_m", tileM, "tile_k_l2", tileK,
                                                        "tile_k_l1", inner, "tile_n", tileN))))))));
    }

    @Override public String divisible(AieHardware device) {
        int lanes = device.functions().lanes();
        return "m and k that are multiples of %d, n of %d".formatted(lanes, 2 * lanes);
    }
}
