package dev.npuflow.npu.runtime;

import dev.npuflow.fault.NpuflowException;
import java.util.ArrayList;
import java.util.List;

/// The hardware contexts of this process, one for each ELF that is on the device, least recently used first.
final class HardwareContexts {

    private final RuntimeOptions options;
    private final List<LoadedElf> resident = new ArrayList<>();

    HardwareContexts(RuntimeOptions options) {
        this.options = options;
    }

    /// Gives the ELF a context, if need be that of the ELF not used for longest.
    ///
    /// @throws NpuflowException NPF-405 where the device has no contexts at all, NPF-406 where others hold them all
    void use(LoadedElf elf) {
        int limit = options.contexts();
        int others = options.contextsHeldByOthers().getAsInt();
        if (limit == 0) {
            throw NpuflowException.environment("NPF-405", "NPU with 0 hardware contexts", "a device that can be used", "the driver's log: device not usable");
        }
        if (others >= limit) {
            throw NpuflowException.environment("NPF-406", "NPU busy: %d of %d hardware contexts in use by others".formatted(others, limit),
                    "at least one free context", "again when other programs have closed theirs");
        }
        resident.remove(elf);
        while (resident.size() >= limit - others) {
            resident.removeFirst();
        }
        resident.add(elf);
    }

    List<String> resident() {
        return resident.stream().map(LoadedElf::name).toList();
    }

    void releaseAll() {
        resident.clear();
    }
}
