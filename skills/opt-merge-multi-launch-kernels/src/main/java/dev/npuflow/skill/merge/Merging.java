package dev.npuflow.skill.merge;

import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.Launch;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Step;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.SkillContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.Set;
import java.util.stream.Collectors;

/// Merges the runs of neighbouring calls of one phase. A group that the device does not take loses its last call, until it places;
/// what it lost starts the next group.
final class Merging {

    private final PhasePlan plan;
    private final SkillContext context;
    private final SequencedSet<String> obstacles = new LinkedHashSet<>();

    Merging(PhasePlan plan, SkillContext context) {
        this.plan = plan;
        this.context = context;
    }

    PhasePlan merged() {
        return plan.mapSections(this::merged);
    }

    /// Why [#merged] left the plan as it was.
    String whyNot() {
        return obstacles.isEmpty() ? "no two NPU calls stand next to each other" : String.join("; ", obstacles);
    }

    private List<Step> merged(List<Step> section) {
        List<Step> steps = new ArrayList<>();
        List<NpuCall> run = new ArrayList<>();
        for (Step step : section) {
            switch (step) {
                case NpuCall call -> run.add(call);
                case HostOp op -> {
                    flush(run, steps);
                    steps.add(op);
                }
            }
        }
        flush(run, steps);
        return List.copyOf(steps);
    }

    private void flush(List<NpuCall> run, List<Step> steps) {
        List<NpuCall> rest = List.copyOf(run);
        run.clear();
        while (!rest.isEmpty()) {
            int size = rest.size() - refusedBefore(rest);
            Optional<NpuCall> group = Optional.empty();
            while (size > 1 && (group = group(rest.subList(0, size))).isEmpty()) {
                size--;
            }
            size = Math.max(size, 1);
            steps.add(group.isPresent() ? group.get() : rest.getFirst());
            rest = rest.subList(size, rest.size());
        }
    }

    /// How many earlier attempts the compiler stopped at this group: each takes one more call from its end. A blocker names the
    /// place as `phase/call/launch`, or the call or the launch alone.
    private int refusedBefore(List<NpuCall> members) {
        Set<String> places = members.stream().flatMap(call -> call.launches().stream()).map(Launch::name)
                .collect(Collectors.toCollection(HashSet::new));
        places.add(GroupName.of(members));
        return (int) context.earlierAttempts().stream().filter(attempt -> attempt.blockers().stream().map(Blocker::launch)
                .anyMatch(blamed -> Arrays.stream(blamed.split("/")).anyMatch(places::contains))).count();
    }

    /// With ping-pong if every launch still places with it, else without.
    private Optional<NpuCall> group(List<NpuCall> members) {
        Optional<NpuCall> joined = new CallMerge(plan, members).joined(GroupName.of(members));
        if (joined.isEmpty()) {
            obstacles.add("%s is needed on the host in another form".formatted(members.getLast().name()));
            return Optional.empty();
        }
        int loopTiling = members.getFirst().options().loopTiling();
        for (boolean pingPong : new boolean[] {true, false}) {
            NpuCall call = joined.get().withOptions(new ElfOptions(pingPong, loopTiling));
            List<Blocker> blockers = context.placement().check(call);
            if (blockers.isEmpty()) {
                return Optional.of(call);
            }
            if (!pingPong) {
                obstacles.add("%s: %s".formatted(call.name(), blockers.getFirst().message()));
            }
        }
        return Optional.empty();
    }
}
