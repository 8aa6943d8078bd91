package dev.npuflow.skill.layout;

import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Step;
import dev.npuflow.plan.ValueFlow;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// One section of a plan, with what can be rewired in it.
///
///     q ─ transpose ─ q_head_first ─┐
///     k ─ transpose ─ k_head_first ─┼─ attention, head_first ─ out_head_first ─ transpose ─ out
///     v ─ transpose ─ v_head_first ─┘
///
/// becomes `q, k, v ─ attention, seq_first ─ out`, if nobody else wants the values in between.
final class HandOff {

    private static final String LAYOUT = "layout";

    private final PhasePlan plan;
    private final List<Step> section;

    HandOff(PhasePlan plan, List<Step> section) {
        this.plan = plan;
        this.section = section;
    }

    List<Step> aligned() {
        List<Step> steps = new ArrayList<>(section);
        for (Step step : section) {
            if (step instanceof HostOp op && "head_first".equals(op.options().get(LAYOUT))) {
                align(op).ifPresent(change -> {
                    steps.removeAll(change.transposes);
                    steps.set(steps.indexOf(op), change.op);
                });
            }
        }
        return List.copyOf(steps);
    }

    private record Change(HostOp op, List<HostOp> transposes) {}

    private Optional<Change> align(HostOp op) {
        Map<String, HostOp> before = transposes("head_first").collect(Collectors.toMap(HandOff::out, transpose -> transpose, (_, last) -> last));
        Map<String, HostOp> after = transposes("seq_first").collect(Collectors.toMap(HandOff::in, transpose -> transpose, (_, last) -> last));
        boolean alone = op.inputs().values().stream().allMatch(value -> before.containsKey(value) && onlyTouchedBy(value, before.get(value), op))
                && op.outputs().values().stream().allMatch(value -> after.containsKey(value) && onlyTouchedBy(value, op, after.get(value)));
        if (!alone) {
            return Optional.empty();
        }
        List<HostOp> gone = new ArrayList<>();
        SortedMap<String, String> inputs = rewired(op.inputs(), before, HandOff::in, gone);
        SortedMap<String, String> outputs = rewired(op.outputs(), after, HandOff::out, gone);
        SortedMap<String, String> options = new TreeMap<>(op.options());
        options.put(LAYOUT, "seq_first");
        return Optional.of(new Change(new HostOp(op.name(), op.kind(), inputs, outputs, op.shape(), options), gone));
    }

    private static SortedMap<String, String> rewired(SortedMap<String, String> values, Map<String, HostOp> transposes,
            Function<HostOp, String> otherEnd, List<HostOp> gone) {
        SortedMap<String, String> rewired = new TreeMap<>();
        values.forEach((parameter, value) -> {
            HostOp transpose = transposes.get(value);
            rewired.put(parameter, otherEnd.apply(transpose));
            gone.add(transpose);
        });
        return rewired;
    }

    private Stream<HostOp> transposes(String to) {
        Predicate<HostOp> wanted = op -> op.kind() == HostKind.TRANSPOSE && to.equals(op.options().get("to"));
        return section.stream().filter(HostOp.class::isInstance).map(HostOp.class::cast).filter(wanted);
    }

    private boolean onlyTouchedBy(String value, HostOp writer, HostOp reader) {
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
