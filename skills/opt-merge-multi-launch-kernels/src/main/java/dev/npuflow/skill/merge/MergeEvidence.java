package dev.npuflow.skill.merge;

import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Step;
import dev.npuflow.skill.Evidence;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What a merge tells of itself: a section for each call that was made of several, and one for what the host computes now.
final class MergeEvidence {

    private MergeEvidence() {}

    static List<Evidence> of(PhasePlan before, PhasePlan after) {
        List<NpuCall> old = before.calls().toList();
        Stream<Evidence> merged = after.calls().flatMap(call -> merged(call, old.stream().filter(member -> launches(call).containsAll(launches(member))).toList()).stream());
        return Stream.concat(merged, moved(before, after).stream()).toList();
    }

    private static Optional<Evidence> merged(NpuCall call, List<NpuCall> members) {
        return members.size() < 2 ? Optional.empty() : Optional.of(Evidence.of("Multi-launch merge: " + call.name(), "Launches merged: " + call.launches().size())
                .timing(members.stream().map(NpuCall::name).toList(), List.of(call.name())));
    }

    /// Calls whose names are those of host operations now.
    private static Optional<Evidence> moved(PhasePlan before, PhasePlan after) {
        Set<String> onHost = after.steps().filter(HostOp.class::isInstance).map(Step::name).collect(Collectors.toUnmodifiableSet());
        List<String> moved = before.calls().map(NpuCall::name).filter(onHost::contains).toList();
        return moved.isEmpty() ? Optional.empty() : Optional.of(Evidence.of("Moved to the host", "Operations: " + String.join(", ", moved)).timing(moved, moved));
    }

    private static Set<String> launches(NpuCall call) {
        return call.launches().stream().map(Launch::name).collect(Collectors.toUnmodifiableSet());
    }
}
