package dev.npuflow.npu.compiler;

import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.kernel.registry.Kernels;
import dev.npuflow.npu.launch.Blocker;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.launch.LaunchDescription;
import dev.npuflow.npu.machine.DeviceDescription;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Builds an ELF for a device, or says all that keeps it from being built.
public final class Compiler {

    private Compiler() {}

    /// What keeps an ELF from its place on the device, whatever memory it is bound to; empty if it can be timed. Takes kernels that are only timed, too.
    public static List<Blocker> placement(ElfDescription elf, DeviceDescription device) {
        List<Blocker> blockers = new ArrayList<>(ElfCheck.check(elf, device));
        for (LaunchDescription launch : elf.launches()) {
            Optional<Kernel> kernel = device.formOf(launch.kernel()).flatMap(Kernels::byId);
            if (kernel.isEmpty()) {
                blockers.add(LaunchCheck.unknownKernel(launch));
                continue;
            }
            List<Blocker> stated = LaunchCheck.checkSizes(launch, kernel.get(), elf, device);
            blockers.addAll(stated.isEmpty() ? device.check(launch, elf) : stated);
        }
        if (blockers.isEmpty()) {
            blockers.addAll(SymbolCheck.check(elf, device));
        }
        return List.copyOf(blockers);
    }

    /// Never throws for what a description says: whatever is wrong with it is a [Blocker].
    public static Compilation compile(ElfDescription elf, DeviceDescription device) {
        List<Blocker> blockers = new ArrayList<>(ElfCheck.check(elf, device));
        List<Kernel> kernels = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        for (LaunchDescription launch : elf.launches()) {
            Optional<Kernel> kernel = Kernels.byId(launch.kernel());
            if (kernel.isEmpty()) {
                blockers.add(LaunchCheck.unknownKernel(launch));
                continue;
            }
            List<Blocker> stated = LaunchCheck.check(launch, kernel.get(), elf, device);
            blockers.addAll(stated);
            if (stated.isEmpty()) {
                blockers.addAll(device.check(launch, elf));
                warnings.addAll(device.warnings(launch));
            }
            kernels.add(kernel.get());
        }
        if (blockers.isEmpty()) {
            blockers.addAll(SymbolCheck.check(elf, device));
        }
        return blockers.isEmpty()
                ? new Compilation.Built(new Executable(elf, kernels, device), warnings)
                : new Compilation.Refused(blockers);
    }
}
