package dev.npuflow.npu.aie.measured;

import dev.npuflow.npu.aie.gemm.TimedGemm;
import dev.npuflow.npu.aie.measured.SimplerModels.Work;
import dev.npuflow.npu.kernel.add.EltwiseAddKernel;
import dev.npuflow.npu.kernel.attention.FlashAttentionKernel;
import dev.npuflow.npu.kernel.gemm.GemmKernel;
import dev.npuflow.npu.kernel.gemv.GemvKernel;
import dev.npuflow.npu.kernel.rmsnorm.RmsNormKernel;
import dev.npuflow.npu.kernel.rope.RopeKernel;
import dev.npuflow.npu.kernel.silu.SiluMulKernel;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.launch.LaunchDescription;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/// The least that a kernel must move through DDR and compute, whatever its tiles: operands once, 2 bytes a bf16, multiply-adds as two operations. What has no
/// products to speak of counts no operations.
final class KernelWork {

    private static final Set<KernelId> F32_OUT = Set.of(TimedGemm.F32_OUT, TimedGemm.F32_DIRECT);
    private static final Set<KernelId> GEMMS = Set.of(GemmKernel.ID, TimedGemm.FUSED_CAST, TimedGemm.DIRECT, TimedGemm.F32_OUT, TimedGemm.F32_DIRECT);
    private static final Map<KernelId, ToDoubleFunction<Map<String, Integer>>> BYTES_OF_ROWS = Map.of(
            RmsNormKernel.ID, shape -> 4 * product(shape, "rows", "n"), RopeKernel.ID, shape -> 6 * product(shape, "rows", "head_dim"),
            EltwiseAddKernel.ID, shape -> 6 * product(shape, "n"), SiluMulKernel.ID, shape -> 6 * product(shape, "n"));

    private KernelWork() {}

    /// @param launch of a kernel that places, so that its shape has every extent
    static Work of(LaunchDescription launch, double microseconds) {
        Map<String, Integer> shape = launch.shape();
        KernelId kernel = launch.kernel();
        if (kernel.equals(GemvKernel.ID)) {
            return new Work(2 * product(shape, "m", "k"), 2 * product(shape, "m", "k"), microseconds);
        }
        if (GEMMS.contains(kernel)) {
            double bytes = 2 * (product(shape, "m", "k") + product(shape, "k", "n")) + (F32_OUT.contains(kernel) ? 4 : 2) * product(shape, "m", "n");
            return new Work(bytes, 2 * product(shape, "m", "k", "n"), microseconds);
        }
        if (kernel.equals(FlashAttentionKernel.ID)) {
            double queries = product(shape, "seq_q", "heads", "head_dim");
            return new Work(4 * queries + 4 * product(shape, "seq_k", "kv_heads", "head_dim"), 4 * queries * shape.get("seq_k"), microseconds);
        }
        return new Work(BYTES_OF_ROWS.getOrDefault(kernel, _ -> 0).applyAsDouble(shape), 0, microseconds);
    }

    private static double product(Map<String, Integer> shape, String... extents) {
        double product = 1;
        for (String extent : extents) {
            product *= shape.get(extent);
        }
        return product;
    }
}
