package dev.npuflow.npu.runtime;

import dev.npuflow.npu.clock.ElfClock;
import dev.npuflow.npu.clock.ElfTiming;
import dev.npuflow.npu.compiler.Executable;
import org.jspecify.annotations.Nullable;

/// An executable that a runtime can run. Its time on the array is computed once, at the first run.
public final class LoadedElf {

    private final Executable executable;
    private final ElfClock clock;
    private @Nullable ElfTiming timing;

    LoadedElf(Executable executable, ElfClock clock) {
        this.executable = executable;
        this.clock = clock;
    }

    public Executable executable() {
        return executable;
    }

    public String name() {
        return executable.elf().name();
    }

    public ElfTiming timing() {
        if (timing == null) {
            timing = clock.time(executable);
        }
        return timing;
    }
}
