package dev.npuflow.npu.aie;

import dev.npuflow.npu.aie.attention.FlashAttention;
import dev.npuflow.npu.aie.elementwise.EltwiseAdd;
import dev.npuflow.npu.aie.elementwise.SiluMul;
import dev.npuflow.npu.aie.gemm.Gemm;
import dev.npuflow.npu.aie.gemm.TimedGemm;
import dev.npuflow.npu.aie.gemv.Gemv;
import dev.npuflow.npu.aie.gemv.GemvAdd;
import dev.npuflow.npu.aie.gemv.GemvSwigluRms;
import dev.npuflow.npu.aie.placement.AieKernel;
import dev.npuflow.npu.aie.rows.BiasAdd;
import dev.npuflow.npu.aie.rows.RmsNorm;
import dev.npuflow.npu.aie.rows.Rope;
import dev.npuflow.npu.launch.KernelId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The kernels that an array has.
final class AieKernels {

    private static final SortedMap<KernelId, AieKernel> ALL = all();

    private AieKernels() {}

    static Optional<AieKernel> byId(KernelId id) {
        return Optional.ofNullable(ALL.get(id));
    }

    static List<KernelId> ids() {
        return List.copyOf(ALL.keySet());
    }

    private static SortedMap<KernelId, AieKernel> all() {
        List<AieKernel> kernels = new ArrayList<>(List.of(new BiasAdd(), new EltwiseAdd(), new FlashAttention(), new Gemm(), new GemvAdd(), new Gemv(),
                new GemvSwigluRms(), new RmsNorm(), new Rope(), new SiluMul()));
        kernels.addAll(TimedGemm.ALL);
        SortedMap<KernelId, AieKernel> byId = new TreeMap<>();
        kernels.forEach(kernel -> byId.put(kernel.id(), kernel));
        return Collections.unmodifiableSortedMap(byId);
    }
}
