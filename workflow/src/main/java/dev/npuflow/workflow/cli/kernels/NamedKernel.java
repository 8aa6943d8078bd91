package dev.npuflow.workflow.cli.kernels;

import dev.npuflow.fault.NearestName;
import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.add.EltwiseAddKernel;
import dev.npuflow.npu.kernel.attention.FlashAttentionKernel;
import dev.npuflow.npu.kernel.gemm.GemmKernel;
import dev.npuflow.npu.kernel.gemv.GemvKernel;
import dev.npuflow.npu.kernel.registry.Kernels;
import dev.npuflow.npu.kernel.rmsnorm.RmsNormKernel;
import dev.npuflow.npu.kernel.rope.RopeKernel;
import dev.npuflow.npu.kernel.silu.SiluMulKernel;
import dev.npuflow.npu.launch.KernelId;
import dev.npuflow.npu.machine.DeviceDescription;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/// A kernel of a device, as a user names it. All commands about one kernel read its name here.
///
/// @param form the kernel whose signature its launches follow
public record NamedKernel(KernelId id, Kernel form) {

    /// The kernel registry's names, as it writes them, with our ids.
    private static final Map<String, KernelId> REGISTRY_NAMES = Map.of("GEMV", GemvKernel.ID, "GEMM", GemmKernel.ID, "RMSNorm", RmsNormKernel.ID, "RoPE", RopeKernel.ID, "EltwiseAdd",
            EltwiseAddKernel.ID, "SiLU_Mul", SiluMulKernel.ID, "FlashAttention", FlashAttentionKernel.ID);

    /// @param name of the kernel registry, or an id; case, hyphens and underscores do not count
    /// @throws NpuflowException NPF-830 for a name that is no kernel's, with the nearest that is
    public static NamedKernel of(String name, DeviceDescription device) {
        List<String> ids = device.kernels().stream().map(KernelId::value).toList();
        List<String> registryNames = REGISTRY_NAMES.keySet().stream().filter(known -> device.kernels().contains(REGISTRY_NAMES.get(known))).sorted().toList();
        return Stream.concat(registryNames.stream(), ids.stream()).filter(known -> plain(known).equals(plain(name))).findFirst()
                .map(known -> REGISTRY_NAMES.getOrDefault(known, new KernelId(known)))
                .flatMap(id -> device.formOf(id).flatMap(Kernels::byId).map(form -> new NamedKernel(id, form)))
                .orElseThrow(() -> NpuflowException.badInput("NPF-830", "kernel", name, "one of %s, or of %s".formatted(String.join(", ", registryNames),
                        String.join(", ", ids)), NearestName.of(name, Stream.concat(registryNames.stream(), ids.stream()).toList()).orElse("GEMV")));
    }

    private static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
    }
}
