package dev.npuflow.npu.array.flow;

import dev.npuflow.npu.NpuException;
import dev.npuflow.npu.device.DeviceDescription.CoreCycles;
import java.util.Map;
import java.util.TreeMap;

/// The data flow of each kernel, by kernel id.
public final class Flows {

    private static final Map<String, Flow> FLOWS = Map.of(
            "gemv", new GemvFlow(),
            "gemm", new GemmFlow(),
            "rms_norm", new NormFlow(),
            "rope", new RopeFlow(),
            "eltwise_add", new ElementwiseFlow(CoreCycles::addVector),
            "silu_mul", new ElementwiseFlow(CoreCycles::siluVector));

    private Flows() {}

    /// @throws NpuException NPF-341 when no data flow is known for the kernel
    public static Flow of(String kernel) {
        Flow flow = FLOWS.get(kernel);
        if (flow == null) {
            throw new NpuException("NPF-341", "kernel " + kernel + " has no data flow", "one of " + String.join(", ", new TreeMap<>(FLOWS).keySet()),
                    "another kernel");
        }
        return flow;
    }
}
