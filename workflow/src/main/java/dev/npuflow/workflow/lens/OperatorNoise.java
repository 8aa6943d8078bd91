package dev.npuflow.workflow.lens;

import dev.npuflow.plan.Phase;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/// How far bf16 alone moves each operator of a model: the reference's output from what it would be without any rounding, on the same inputs; the worst row of
/// all layers and steps. No plan has a part in it.
///
/// @param differences by `phase/operator`
record OperatorNoise(SortedMap<String, Double> differences) {

    /// Beyond so many times the noise an operator is wrong. Two that round at other places are up to two noises apart, and the worst row of one run is not the
    /// worst of another.
    private static final double FACTOR = 4;
    /// The unit roundoff of bf16, with 8 bits of precision. A norm whose rows all happened to be exact on one prompt differs in a last
    /// bit on another.
    private static final double ROUNDOFF = 0x1p-9;

    OperatorNoise {
        differences = Collections.unmodifiableSortedMap(new TreeMap<>(differences));
    }

    /// Of operators computed in one, each of which may be as far off as its own is.
    double limit(Phase phase, List<String> fused) {
        return fused.stream().mapToDouble(operator -> limit(phase, operator)).sum();
    }

    double limit(Phase phase, String operator) {
        return FACTOR * Math.max(differences.getOrDefault(name(phase, operator), 0.0), ROUNDOFF);
    }

    static String name(Phase phase, String operator) {
        return phase.name().toLowerCase(Locale.ROOT) + "/" + operator;
    }
}
