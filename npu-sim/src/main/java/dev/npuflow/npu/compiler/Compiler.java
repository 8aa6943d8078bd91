package dev.npuflow.npu.compiler;

import dev.npuflow.npu.device.DeviceDescription;
import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.Kernels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Builds an ELF for a device, or says all that keeps it from being built.
public final class Compiler {

    private Compiler() {}

    /// Never throws for what a description says: whatever is wrong with it is a [Blocker].
    public static Compilation compile(ElfDescription elf, DeviceDescription device) {
        List<Blocker> blockers = new ArrayList<>(ElfCheck.check(elf));
        List<Kernel> kernels = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        for (LaunchDescription launch : elf.launches()) {
            Optional<Kernel> kernel = Kernels.byId(launch.kernel());
            if (kernel.isEmpty()) {
                blockers.add(LaunchCheck.unknownKernel(launch));
                continue;
            }
            List<Blocker> stated = LaunchCheck.check(launch, kernel.get(), elf);
            blockers.addAll(stated);
            if (stated.isEmpty()) {
                blockers.addAll(kernel.get().check(launch, elf, device));
                warnings.addAll(kernel.get().warnings(launch));
            }
            kernels.add(kernel.get());
        }
        if (blockers.isEmpty()) {
            blockers.addAll(SymbolCheck.check(elf, kernels));
        }
        return blockers.isEmpty()
                ? new Compilation.Built(new Executable(elf, kernels, device), warnings)
                : new Compilation.Refused(blockers);
    }
}
