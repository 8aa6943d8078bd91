package dev.npuflow.npu.clock;

import dev.npuflow.npu.engine.Picoseconds;
import java.util.List;

/// One run of an ELF, from start to wait: `picoseconds` in all, the launches in order within it.
public record ElfTiming(long picoseconds, List<LaunchTiming> launches) {

    public ElfTiming {
        launches = List.copyOf(launches);
    }

    public Picoseconds time() {
        return new Picoseconds(picoseconds);
    }

    /// @param boundBy the resource that was busy longest while the launch ran
    public record LaunchTiming(String launch, long startPicoseconds, long endPicoseconds, String boundBy) {

        public Picoseconds time() {
            return new Picoseconds(endPicoseconds - startPicoseconds);
        }
    }
}
