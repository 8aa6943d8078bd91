package dev.npuflow.npu.runtime;

/// What becomes of a command. The real one lets every command complete; the border at which a device hangs.
@FunctionalInterface
public interface CommandProcessor {

    /// @param elf name of the ELF
    /// @param run number of the run on this runtime, from 0
    CommandState submit(String elf, long run);

    static CommandProcessor healthy() {
        return (elf, run) -> CommandState.COMPLETED;
    }
}
