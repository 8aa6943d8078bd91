package dev.npuflow.workflow.lowering;

import dev.npuflow.npu.clock.ElfTiming.LaunchTiming;
import dev.npuflow.npu.engine.Picoseconds;
import dev.npuflow.workflow.lowering.StepTime.Kind;
import dev.npuflow.workflow.lowering.StepTime.Section;
import java.util.Comparator;
import java.util.List;

/// What one step of a plan costs each time it is done, in the steady state: no buffer-object key is seen for the first time.
///
/// @param repeats      how often a pass does it: once a layer, or once
/// @param write        of buffer-object writes
/// @param run          from start to wait; of a host operation, all of it
/// @param read         of buffer-object reads
/// @param bytesWritten into buffer objects, each time
/// @param dispatch     the part of `run` that is the call's own: driver, command queue, wait
/// @param launches     in order; empty for a host operation
public record StepCost(String name, Kind kind, Section section, int repeats, Picoseconds write, Picoseconds run, Picoseconds read,
        long bytesWritten, Picoseconds dispatch,
        List<LaunchTiming> launches) {

    /// What bounds a host operation.
    public static final String HOST = "host";

    public StepCost {
        launches = List.copyOf(launches);
    }

    /// Each time.
    public Picoseconds once() {
        return write.plus(run).plus(read);
    }

    /// In the whole pass.
    public Picoseconds total() {
        return once().times(repeats);
    }

    /// The resource that bounds the launch which takes longest.
    public String boundBy() {
        return launches.stream().max(Comparator.comparing(LaunchTiming::time))
                .map(LaunchTiming::boundBy)
                .orElse(HOST);
    }
}
