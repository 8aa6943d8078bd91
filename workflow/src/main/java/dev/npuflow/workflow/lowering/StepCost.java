package dev.npuflow.workflow.lowering;

import dev.npuflow.npu.clock.ElfTiming.LaunchTiming;
import dev.npuflow.workflow.lowering.StepTime.Kind;
import dev.npuflow.workflow.lowering.StepTime.Section;
import java.util.Comparator;
import java.util.List;

/// What one step of a plan costs each time it is done, in picoseconds, in the steady state: no buffer-object key is seen for the first time.
///
/// @param repeats      how often a pass does it: once a layer, or once
/// @param write        of buffer-object writes
/// @param run          from start to wait; of a host operation, all of it
/// @param read         of buffer-object reads
/// @param bytesWritten into buffer objects, each time
/// @param dispatch     the part of `run` that is the call's own: driver, command queue, wait
/// @param launches     in order; empty for a host operation
public record StepCost(String name, Kind kind, Section section, int repeats, long write, long run, long read, long bytesWritten, long dispatch,
        List<LaunchTiming> launches) {

    /// What bounds a host operation.
    public static final String HOST = "host";

    public StepCost {
        launches = List.copyOf(launches);
    }

    /// Picoseconds each time.
    public long once() {
        return write + run + read;
    }

    /// Picoseconds in the whole pass.
    public long total() {
        return repeats * once();
    }

    /// The resource that bounds the launch which takes longest.
    public String boundBy() {
        return launches.stream().max(Comparator.comparingLong(launch -> launch.endPicoseconds() - launch.startPicoseconds()))
                .map(LaunchTiming::boundBy)
                .orElse(HOST);
    }
}
