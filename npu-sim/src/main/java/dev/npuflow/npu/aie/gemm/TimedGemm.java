package dev.npuflow.npu.aie.gemm;

import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.aie.array.AieHardware.CoreCycles;
import dev.npuflow.npu.aie.flow.Configuration;
import dev.npuflow.npu.aie.flow.Flow;
import dev.npuflow.npu.aie.limit.Limit;
import dev.npuflow.npu.aie.placement.AieKernel;
import dev.npuflow.npu.kernel.gemm.GemmKernel;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.BenchmarkBuild;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/// GEMMs of mlir-air's kernel registry that npuflow places and times but does not compute: rows of measurements and older builds hold them.
public record TimedGemm(KernelId id, GemmMethod method, BiFunction<LaunchDescription, AieHardware, List<Configuration>> parts) implements AieKernel {

    public static final KernelId FUSED_CAST = new KernelId("gemm_fused_cast");
    public static final KernelId F32_OUT = new KernelId("gemm_f32_out");
    public static final KernelId DIRECT = new KernelId("gemm_direct");
    public static final KernelId F32_DIRECT = new KernelId("gemm_f32_direct");
    private static final KernelId CAST = new KernelId("cast");

    private static final Flow SUMS = new GemmFlow(CoreCycles::gemmMacs, 4, false);

    private static final List<TimedGemm> FORMS = forms();
    public static final List<AieKernel> ALL = List.copyOf(FORMS);

    private static List<TimedGemm> forms() {
        return List.of(new TimedGemm(FUSED_CAST, GemmMethod.FUSED_CAST, TimedGemm::withCast), one(F32_OUT, GemmMethod.F32_OUT, SUMS),
                one(DIRECT, GemmMethod.DIRECT, new GemmFlow(CoreCycles::directMacs, 2, true)),
                // Sums in fp32, by the slower core function of `gemm_direct`.
                one(F32_DIRECT, GemmMethod.F32_OUT, new GemmFlow(CoreCycles::directMacs, 4, false)));
    }

    private static TimedGemm one(KernelId id, GemmMethod method, Flow flow) {
        return new TimedGemm(id, method, (launch, _) -> List.of(new Configuration(launch, flow)));
    }

    static Optional<GemmMethod> methodOf(KernelId id) {
        return FORMS.stream().filter(form -> form.id.equals(id)).map(TimedGemm::method).findFirst();
    }

    /// The sums leave the cores as fp32, and a second configuration of the array casts them.
    static List<Configuration> withCast(LaunchDescription launch, AieHardware device) {
        LaunchDescription cast = new LaunchDescription(launch.name() + " cast", CAST, launch.symbol() + "_cast", launch.shape(), launch.constants(),
                launch.herdColumns(), 1, launch.tile(), launch.ports());
        return List.of(new Configuration(launch, SUMS), new Configuration(cast, new CastFlow(device.functions().castTile())));
    }

    @Override public List<String> tileSizes() {
        return Gemm.TILE_SIZES;
    }

    @Override public KernelId formOf() {
        return GemmKernel.ID;
    }

    @Override public boolean choosesTiles() {
        return false;
    }

    /// The cast that follows is part of a `gemm` with tiles as large; the others sum or round otherwise.
    @Override public Optional<KernelId> computedAs() {
        return method == GemmMethod.FUSED_CAST ? Optional.of(GemmKernel.ID) : Optional.empty();
    }

    @Override public BenchmarkBuild benchmark() {
        return Gemm.BENCHMARK;
    }

    @Override public List<Limit> limits() {
        return GemmLimits.ALL;
    }

    @Override public List<String> warnings(LaunchDescription launch) {
        return GemmLimits.warnings(launch);
    }

    @Override public Optional<String> linkedObject(LaunchDescription launch) {
        return Optional.of(Gemm.object(launch));
    }

    @Override public List<Configuration> configurations(LaunchDescription launch, AieHardware device) {
        return parts.apply(launch, device);
    }
}
