package dev.npuflow.npu.compiler;

import dev.npuflow.npu.kernel.Kernel;
import dev.npuflow.npu.launch.ElfDescription;
import dev.npuflow.npu.machine.DeviceDescription;
import java.util.List;

/// A built ELF: the description it was built from, bound to kernels and to the device it was built for.
public record Executable(ElfDescription elf, List<Kernel> kernels, DeviceDescription device) {

    public Executable {
        kernels = List.copyOf(kernels);
    }
}
