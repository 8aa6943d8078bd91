package dev.npuflow.npu.kernel;

import dev.npuflow.npu.kernel.add.EltwiseAddKernel;
import dev.npuflow.npu.kernel.attention.FlashAttentionKernel;
import dev.npuflow.npu.kernel.bias.BiasAddKernel;
import dev.npuflow.npu.kernel.gemm.GemmKernel;
import dev.npuflow.npu.kernel.gemm.TimedGemm;
import dev.npuflow.npu.kernel.gemv.GemvKernel;
import dev.npuflow.npu.kernel.gemvadd.GemvAddKernel;
import dev.npuflow.npu.kernel.rmsnorm.RmsNormKernel;
import dev.npuflow.npu.kernel.rope.RopeKernel;
import dev.npuflow.npu.kernel.silu.SiluMulKernel;
import dev.npuflow.npu.kernel.swiglu.GemvSwigluRmsKernel;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The kernels that exist.
public final class Kernels {

    private static final SortedMap<String, Kernel> ALL = all(List.of(new BiasAddKernel(), new EltwiseAddKernel(), new FlashAttentionKernel(), new GemmKernel(),
            new GemvAddKernel(), new GemvKernel(), new GemvSwigluRmsKernel(), new RmsNormKernel(), new RopeKernel(), new SiluMulKernel()));

    private static final SortedMap<String, KernelDesign> DESIGNS = designs();

    private Kernels() {}

    public static Optional<Kernel> byId(String id) {
        return Optional.ofNullable(ALL.get(id));
    }

    /// Also those that are placed and timed only.
    public static Optional<KernelDesign> designById(String id) {
        return Optional.ofNullable(DESIGNS.get(id));
    }

    /// By id.
    public static SortedMap<String, Kernel> all() {
        return ALL;
    }

    private static SortedMap<String, KernelDesign> designs() {
        SortedMap<String, KernelDesign> byId = new TreeMap<>(ALL);
        for (TimedGemm gemm : TimedGemm.values()) {
            byId.put(gemm.id(), gemm);
        }
        return Collections.unmodifiableSortedMap(byId);
    }

    private static SortedMap<String, Kernel> all(List<Kernel> kernels) {
        SortedMap<String, Kernel> byId = new TreeMap<>();
        kernels.forEach(kernel -> byId.put(kernel.id(), kernel));
        return Collections.unmodifiableSortedMap(byId);
    }
}
