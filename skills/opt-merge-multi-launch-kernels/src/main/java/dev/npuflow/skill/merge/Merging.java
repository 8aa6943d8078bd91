package dev.npuflow.skill.merge;

import dev.npuflow.plan.ElfOptions;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Step;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.SkillContext;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/// Merges the runs of neighbouring calls of one phase. A group that the device does not take loses its last call, until it places;
/// what it lost starts the next group. FlashAttention stays alone: upstream found no ELF that builds with it and others (reference document §E.5).
final class Merging {

    private static final String FLASH_ATTENTION = "flash_attention";

    private final PhasePlan plan;
    private final SkillContext context;
    /// Pairs that may be joined, by the names of their launches.
    private final BiPredicate<String, String> joinable;
    private final SequencedSet<String> obstacles = new LinkedHashSet<>();

    Merging(PhasePlan plan, SkillContext context, BiPredicate<String, String> joinable) {
        this.plan = plan;
        this.context = context;
        this.joinable = joinable;
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
                case NpuCall call -> {
                    if (!run.isEmpty() && !mayJoin(run.getLast(), call)) {
                        flush(run, steps);
                    }
                    run.add(call);
                }
                case HostOp op -> {
                    flush(run, steps);
                    steps.add(op);
                }
            }
        }
        flush(run, steps);
        return List.copyOf(steps);
    }

    private boolean mayJoin(NpuCall before, NpuCall next) {
        if (Stream.of(before, next).anyMatch(Merging::isFlashAttention)) {
            return false;
        }
        String last = before.launches().getLast().name();
        String first = next.launches().getFirst().name();
        boolean may = joinable.test(last, first);
        if (!may) {
            obstacles.add("%s + %s is not built by upstream for this shape".formatted(last, first));
        }
        return may;
    }

    private static boolean isFlashAttention(NpuCall call) {
        return call.launches().stream().anyMatch(launch -> launch.kernel().equals(FLASH_ATTENTION));
    }

    private void flush(List<NpuCall> run, List<Step> steps) {
        List<NpuCall> rest = List.copyOf(run);
        run.clear();
        while (!rest.isEmpty()) {
            int size = new Retreat(context.earlierAttempts()).size(rest);
            Optional<NpuCall> group = Optional.empty();
            while (size > 1 && (group = group(rest.subList(0, size))).isEmpty()) {
                size--;
            }
            size = Math.max(size, 1);
            steps.add(group.isPresent() ? group.get() : rest.getFirst());
            rest = rest.subList(size, rest.size());
        }
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
