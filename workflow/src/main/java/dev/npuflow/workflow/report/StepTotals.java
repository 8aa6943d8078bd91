package dev.npuflow.workflow.report;

import dev.npuflow.workflow.lowering.StepTime;
import java.util.List;

/// What one call or host operation took over a whole phase.
///
/// @param count          invocations
/// @param write          picoseconds of all its buffer-object writes
/// @param run            picoseconds of all its runs
/// @param read           picoseconds of all its buffer-object reads
/// @param bytesWritten   of all its writes
/// @param buffersWritten buffer objects of all its writes
/// @param buffersRead    buffer objects of all its reads
public record StepTotals(String name, StepTime.Kind kind, StepTime.Section section, int count, long write, long run, long read,
        long bytesWritten, long buffersWritten, long buffersRead) {

    private record Key(StepTime.Section section, StepTime.Kind kind, String name) {}

    /// Picoseconds in all.
    public long total() {
        return write + run + read;
    }

    /// In the order of the data flow.
    static List<StepTotals> of(List<StepTime> steps) {
        return StepGroup.grouped(steps.stream(), step -> new Key(step.section(), step.kind(), step.name())).stream()
                .map(group -> new StepTotals(group.steps().getFirst().name(), group.steps().getFirst().kind(), group.steps().getFirst().section(),
                        group.steps().size(), group.sum(StepTime::write), group.sum(StepTime::run), group.sum(StepTime::read),
                        group.sum(StepTime::bytesWritten), group.sum(StepTime::buffersWritten), group.sum(StepTime::buffersRead)))
                .toList();
    }
}
