package dev.npuflow.npu.clock;

import dev.npuflow.npu.compiler.Executable;

/// Tells how long an ELF runs on the array. Times never depend on data.
public interface ElfClock {

    ElfTiming time(Executable executable);
}
