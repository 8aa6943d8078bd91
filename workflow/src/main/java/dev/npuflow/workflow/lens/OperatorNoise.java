package dev.npuflow.workflow.lens;

import dev.npuflow.plan.Phase;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/// How far the unmodified baseline's operators are from the reference's on the same inputs, the worst row of all layers and steps.
///
/// @param differences by `phase/operator`
record OperatorNoise(SortedMap<String, Double> differences) {

    /// Beyond so many times the baseline's difference an operator is wrong (issue of the lens).
    private static final double FACTOR = 4;
    /// The unit roundoff of bf16, with 8 bits of precision. A norm whose rows all happened to round alike on the baseline's prompt differs in a last
    /// bit on another.
    private static final double ROUNDOFF = 0x1p-9;
    /// More than this is no noise: the baseline itself is wrong. Healthy baselines stay below 0.013 (attention of tiny_kjv), most operators below
    /// 0.005.
    private static final double LARGEST = 0.03;

    OperatorNoise {
        differences = Collections.unmodifiableSortedMap(new TreeMap<>(differences));
    }

    /// Of operators computed in one, each of which may be as far off as its own is.
    double limit(Phase phase, List<String> fused) {
        return fused.stream().mapToDouble(operator -> limit(phase, operator)).sum();
    }

    double limit(Phase phase, String operator) {
        return FACTOR * Math.clamp(differences.getOrDefault(name(phase, operator), 0.0), ROUNDOFF, LARGEST);
    }

    static String name(Phase phase, String operator) {
        return phase.name().toLowerCase(Locale.ROOT) + "/" + operator;
    }
}
