package dev.npuflow.npu.compiler;

import dev.npuflow.npu.device.DeviceDescription;
import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.KernelDesign;
import dev.npuflow.npu.kernel.Kernels;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Builds an ELF for a device, or says all that keeps it from being built.
public final class Compiler {

    private Compiler() {}

    /// What keeps an ELF from its place on the array, whatever memory it is bound to; empty if it can be timed. Takes kernels that are only timed, too.
    public static List<Blocker> placement(ElfDescription elf, DeviceDescription device) {
        List<Blocker> blockers = new ArrayList<>(ElfCheck.check(elf));
        List<KernelDesign> designs = new ArrayList<>();
        for (LaunchDescription launch : elf.launches()) {
            Optional<KernelDesign> design = Kernels.designById(launch.kernel());
            if (design.isEmpty()) {
                blockers.add(LaunchCheck.unknownKernel(launch));
                continue;
            }
            List<Blocker> stated = LaunchCheck.checkSizes(launch, design.get(), elf);
            blockers.addAll(stated.isEmpty() ? design.get().check(launch, elf, device) : stated);
            designs.add(design.get());
        }
        if (blockers.isEmpty()) {
            blockers.addAll(SymbolCheck.check(elf, designs));
        }
        return List.copyOf(blockers);
    }

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
