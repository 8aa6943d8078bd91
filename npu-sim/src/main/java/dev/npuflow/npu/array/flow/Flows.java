package dev.npuflow.npu.array.flow;

import dev.npuflow.npu.NpuException;
import dev.npuflow.npu.compiler.LaunchDescription;
import dev.npuflow.npu.device.DeviceDescription.CoreCycles;
import dev.npuflow.npu.kernel.gemm.GemmMethod;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The data flow of each kernel, by kernel id.
public final class Flows {

    private static final Map<String, Flow> FLOWS = Map.ofEntries(
            Map.entry("gemv", new GemvFlow(GemvFlow.Form.PLAIN)),
            Map.entry("gemv_add", new GemvFlow(GemvFlow.Form.ADD)),
            Map.entry("gemv_swiglu_rms", new GemvFlow(GemvFlow.Form.CASCADE)),
            Map.entry("gemm", new GemmFlow(CoreCycles::gemmMacs, 2, false)),
            Map.entry("gemm_f32_out", new GemmFlow(CoreCycles::gemmMacs, 4, false)),
            Map.entry("gemm_direct", new GemmFlow(CoreCycles::directMacs, 2, true)),
            Map.entry("gemm_f32_direct", new GemmFlow(CoreCycles::directMacs, 4, false)),
            Map.entry("rms_norm", new BroadcastFlow((core, vectors) -> core.normRow() + core.normVector() * vectors)),
            Map.entry("bias_add", new BroadcastFlow((core, vectors) -> core.addVector() * vectors)),
            Map.entry("rope", new RopeFlow()),
            Map.entry("eltwise_add", new ElementwiseFlow(CoreCycles::addVector)),
            Map.entry("silu_mul", new ElementwiseFlow(CoreCycles::siluVector)),
            Map.entry("flash_attention", new AttentionFlow()));

    private static final String FUSED_CAST = "gemm_fused_cast";

    private Flows() {}

    /// The stages of a launch in order.
    ///
    /// @throws NpuException NPF-341 when no data flow is known for the kernel
    public static List<Stage> of(LaunchDescription launch) {
        if (launch.kernel().equals(FUSED_CAST)
                || launch.kernel().equals("gemm") && Extents.tile(launch, "tile_m") > 0 && GemmMethod.of(launch) == GemmMethod.FUSED_CAST) {
            LaunchDescription cast = new LaunchDescription(launch.name() + " cast", "cast", launch.symbol() + "_cast", launch.shape(),
                    launch.constants(),
                    launch.herdColumns(), 1, launch.tile(), launch.ports());
            return List.of(new Stage(launch, FLOWS.get("gemm_f32_out")), new Stage(cast, new CastFlow()));
        }
        Flow flow = FLOWS.get(launch.kernel());
        if (flow == null) {
            throw new NpuException("NPF-341", "kernel " + launch.kernel() + " has no data flow",
                    FUSED_CAST + " or one of " + String.join(", ", new TreeMap<>(FLOWS).keySet()), "another kernel");
        }
        return List.of(new Stage(launch, flow));
    }
}
