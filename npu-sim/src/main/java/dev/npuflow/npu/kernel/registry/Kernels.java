package dev.npuflow.npu.kernel.registry;

import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.add.EltwiseAddKernel;
import dev.npuflow.npu.kernel.attention.FlashAttentionKernel;
import dev.npuflow.npu.kernel.bias.BiasAddKernel;
import dev.npuflow.npu.kernel.gemm.GemmKernel;
import dev.npuflow.npu.kernel.gemv.GemvKernel;
import dev.npuflow.npu.kernel.gemvadd.GemvAddKernel;
import dev.npuflow.npu.kernel.rmsnorm.RmsNormKernel;
import dev.npuflow.npu.kernel.rope.RopeKernel;
import dev.npuflow.npu.kernel.silu.SiluMulKernel;
import dev.npuflow.npu.kernel.swiglu.GemvSwigluRmsKernel;
import dev.npuflow.npu.launch.KernelId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The kernels that exist.
public final class Kernels {

    private static final SortedMap<KernelId, Kernel> ALL = all(List.of(new BiasAddKernel(), new EltwiseAddKernel(), new FlashAttentionKernel(), new GemmKernel(),
            new GemvAddKernel(), new GemvKernel(), new GemvSwigluRmsKernel(), new RmsNormKernel(), new RopeKernel(), new SiluMulKernel()));

    private Kernels() {}

    public static Optional<Kernel> byId(KernelId id) {
        return Optional.ofNullable(ALL.get(id));
    }

    /// By id.
    public static SortedMap<KernelId, Kernel> all() {
        return ALL;
    }

    private static SortedMap<KernelId, Kernel> all(List<Kernel> kernels) {
        SortedMap<KernelId, Kernel> byId = new TreeMap<>();
        kernels.forEach(kernel -> byId.put(kernel.id(), kernel));
        return Collections.unmodifiableSortedMap(byId);
    }
}
