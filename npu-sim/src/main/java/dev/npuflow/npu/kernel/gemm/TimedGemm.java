package dev.npuflow.npu.kernel.gemm;

import dev.npuflow.npu.compiler.Blocker;
import dev.npuflow.npu.compiler.ElfDescription;
import dev.npuflow.npu.compiler.LaunchDescription;
import dev.npuflow.npu.device.DeviceDescription;
import dev.npuflow.npu.kernel.KernelDesign;
import dev.npuflow.npu.kernel.KernelSignature;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// GEMMs of mlir-air's kernel registry that npuflow places and times but does not compute: rows of measurements and older builds hold them.
public enum TimedGemm implements KernelDesign {
    GEMM_FUSED_CAST(GemmMethod.FUSED_CAST),
    GEMM_F32_OUT(GemmMethod.F32_OUT),
    GEMM_DIRECT(GemmMethod.DIRECT),
    /// Sums in fp32, by the slower core function of `gemm_direct`.
    GEMM_F32_DIRECT(GemmMethod.F32_OUT);

    private final GemmMethod method;

    TimedGemm(GemmMethod method) {
        this.method = method;
    }

    static Optional<TimedGemm> byId(String id) {
        return Arrays.stream(values()).filter(gemm -> gemm.id().equals(id)).findFirst();
    }

    GemmMethod method() {
        return method;
    }

    @Override
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public KernelSignature signature() {
        return GemmKernel.SIGNATURE;
    }

    @Override
    public List<Blocker> check(LaunchDescription launch, ElfDescription elf, DeviceDescription device) {
        return GemmLimits.check(launch, elf, device);
    }

    @Override
    public List<String> warnings(LaunchDescription launch) {
        return GemmLimits.warnings(launch);
    }

    @Override
    public Optional<String> linkedObject(LaunchDescription launch) {
        return Optional.of(GemmKernel.object(launch));
    }
}
