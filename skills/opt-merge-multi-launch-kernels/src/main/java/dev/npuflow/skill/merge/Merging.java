package dev.npuflow.skill.merge;

import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.KernelNames;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Step;
import dev.npuflow.skill.SkillContext;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/// Merges the runs of neighbouring calls of one phase. FlashAttention stays alone: upstream found no ELF that builds with it and others (docs/upstream.md, "Merge limits").
final class Merging {

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
        return call.launches().stream().anyMatch(launch -> launch.kernel().equals(KernelNames.FLASH_ATTENTION));
    }

    private void flush(List<NpuCall> run, List<Step> steps) {
        if (run.isEmpty()) {
            return;
        }
        MergedRun merged = new MergedRun(plan, run, context);
        List<NpuCall> calls = merged.calls();
        if (calls.size() == run.size()) {
            obstacles.addAll(merged.obstacles());
        }
        steps.addAll(calls);
        run.clear();
    }
}
