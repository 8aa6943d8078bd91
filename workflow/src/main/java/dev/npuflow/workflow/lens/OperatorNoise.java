package dev.npuflow.workflow.lens;

import dev.npuflow.plan.Phase;
import dev.npuflow.workflow.reference.Operator;
import java.util.Collections;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/// How far the unmodified baseline's operators are from the reference's on the same inputs, the worst row of all layers and steps.
///
/// @param differences by `phase/operator`
record OperatorNoise(SortedMap<String, Double> differences) {

    /// Beyond so many times the baseline's difference an operator is wrong (issue of the lens).
    private static final double FACTOR = 4;

    OperatorNoise {
        differences = Collections.unmodifiableSortedMap(new TreeMap<>(differences));
    }

    double limit(Phase phase, Operator operator) {
        return FACTOR * differences.getOrDefault(name(phase, operator), 0.0);
    }

    static String name(Phase phase, Operator operator) {
        return phase.name().toLowerCase(Locale.ROOT) + "/" + operator.text();
    }
}
