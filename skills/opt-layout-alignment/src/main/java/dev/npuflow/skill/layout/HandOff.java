package dev.npuflow.skill.layout;

import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Step;
import dev.npuflow.plan.ValueFlow;
import dev.npuflow.skill.Blocker;
import dev.npuflow.skill.Placement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// One section of a plan, with what can be rewired in it.
///
///     q ─ transpose ─ q_head_first ─┐
///     k ─ transpose ─ k_head_first ─┼─ attention, head_first ─ out_head_first ─ transpose ─ out
///     v ─ transpose ─ v_head_first ─┘
///
/// becomes `q, k, v ─ attention, seq_first ─ out`, if nobody else wants the values in between and the device takes the changed call: FlashAttention reads
/// heads of 64 where they stand, and hangs on wider ones (docs/upstream.md, "Layout").
final class HandOff {

    private final PhasePlan plan;
    private final List<Step> section;
    private final Placement placement;
    private final SequencedSet<String> obstacles = new LinkedHashSet<>();

    HandOff(PhasePlan plan, List<Step> section, Placement placement) {
        this.plan = plan;
        this.section = section;
        this.placement = placement;
    }

    List<Step> aligned() {
        List<Step> steps = new ArrayList<>(section);
        for (Step step : section) {
            HeadFirst.of(step).flatMap(this::align).ifPresent(change -> {
                steps.removeAll(change.transposes);
                steps.set(steps.indexOf(step), change.step);
            });
        }
        return List.copyOf(steps);
    }

    /// What the device had against a hand-off.
    SequencedSet<String> obstacles() {
        return obstacles;
    }

    private record Change(Step step, List<HostOp> transposes) {}

    private Optional<Change> align(HeadFirst taker) {
        Map<String, HostOp> before = transposes("head_first").collect(Collectors.toMap(HandOff::out, transpose -> transpose, (_, last) -> last));
        Map<String, HostOp> after = transposes("seq_first").collect(Collectors.toMap(HandOff::in, transpose -> transpose, (_, last) -> last));
        boolean alone = taker.inputs().stream().allMatch(value -> before.containsKey(value) && onlyTouchedBy(value, before.get(value), taker.step()))
                && taker.outputs().stream().allMatch(value -> after.containsKey(value) && onlyTouchedBy(value, taker.step(), after.get(value)));
        if (!alone) {
            return Optional.empty();
        }
        Map<String, String> renamed = new TreeMap<>();
        taker.inputs().forEach(value -> renamed.put(value, in(before.get(value))));
        taker.outputs().forEach(value -> renamed.put(value, out(after.get(value))));
        Step changed = taker.seqFirst(renamed);
        List<Blocker> blockers = changed instanceof NpuCall call ? placement.check(call) : List.of();
        blockers.forEach(blocker -> obstacles.add("%s: %s".formatted(changed.name(), blocker.message())));
        return blockers.isEmpty()
                ? Optional.of(new Change(changed, Stream.concat(taker.inputs().stream().map(before::get), taker.outputs().stream().map(after::get)).toList()))
                : Optional.empty();
    }

    private Stream<HostOp> transposes(String to) {
        Predicate<HostOp> wanted = op -> op.kind() == HostKind.TRANSPOSE && to.equals(op.options().get("to"));
        return section.stream().filter(HostOp.class::isInstance).map(HostOp.class::cast).filter(wanted);
    }

    private boolean onlyTouchedBy(String value, Step writer, Step reader) {
        return plan.steps().allMatch(step -> {
            ValueFlow flow = ValueFlow.of(step);
            return (step.equals(writer) || !flow.writes().contains(value)) && (step.equals(reader) || !flow.reads().contains(value));
        });
    }

    private static String in(HostOp transpose) {
        return transpose.inputs().get("in");
    }

    private static String out(HostOp transpose) {
        return transpose.outputs().get("out");
    }
}
