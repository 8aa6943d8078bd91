package dev.npuflow.npu.clock;

import java.util.List;

/// One run of an ELF, from start to wait: `picoseconds` in all, the launches in order within it.
public record ElfTiming(long picoseconds, List<LaunchTiming> launches) {

    public ElfTiming {
        launches = List.copyOf(launches);
    }

    /// @param boundBy the resource that was busy longest while the launch ran
    public record LaunchTiming(String launch, long startPicoseconds, long endPicoseconds, String boundBy) {}
}
