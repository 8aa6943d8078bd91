package dev.npuflow.npu.runtime;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.clock.ElfTiming;
import java.util.Locale;

/// How a run ended. Only a completed one has a time and wrote its outputs; what device memory holds after another is of no
/// meaning, even where it looks like an answer.
public sealed interface RunResult {

    /// This result, if the run completed.
    ///
    /// @throws NpuflowException NPF-407 naming the ELF and the run
    Completed completed();

    /// @param picoseconds from the XRT call to its return
    /// @param timing      the array's part of it
    record Completed(long picoseconds, ElfTiming timing) implements RunResult {
        @Override
        public Completed completed() {
            return this;
        }
    }

    /// @param state never [CommandState#COMPLETED]
    /// @param run   number of the run on its runtime, from 0
    record Unfinished(CommandState state, String elf, long run) implements RunResult {
        @Override
        public Completed completed() {
            throw NpuflowException.environment("NPF-407", "device %s at run %d".formatted(state.name().toLowerCase(Locale.ROOT), run), "ELF %s".formatted(elf),
                    "the command to complete", "the same run again; if that fails too the device is not answering");
        }
    }
}
