package dev.npuflow.workflow.report;

import dev.npuflow.workflow.lowering.StepTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/// The invocations of one call or host operation.
record StepGroup(String name, List<StepTime> steps) {

    /// In the order of first appearance, which is the order of the data flow.
    static List<StepGroup> byName(Stream<StepTime> steps) {
        return grouped(steps, StepGroup::printed);
    }

    static <K> List<StepGroup> grouped(Stream<StepTime> steps, Function<StepTime, K> key) {
        Map<K, List<StepTime>> groups = new LinkedHashMap<>();
        steps.forEach(step -> groups.computeIfAbsent(key.apply(step), unseen -> new ArrayList<>()).add(step));
        return groups.values().stream().map(group -> new StepGroup(printed(group.getFirst()), List.copyOf(group))).toList();
    }

    long sum(ToLongFunction<StepTime> part) {
        return steps.stream().mapToLong(part).sum();
    }

    double mean(ToLongFunction<StepTime> part) {
        return (double) sum(part) / steps.size();
    }

    long total() {
        return sum(StepTime::total);
    }

    long smallest() {
        return steps.stream().mapToLong(StepTime::total).min().orElse(0);
    }

    long largest() {
        return steps.stream().mapToLong(StepTime::total).max().orElse(0);
    }

    /// Parsers split the tables at white space.
    private static String printed(StepTime step) {
        return step.name().strip().replaceAll("\\s+", "_");
    }
}
