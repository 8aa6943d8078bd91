package dev.npuflow.workflow.decision;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import java.util.List;
import java.util.stream.Collectors;

/// The figures of a decision on a target that varies, as they are recorded and shown. Shares, not percentages; below 0 the changed plan takes less.
///
/// @param pairs       that were measured
/// @param mean        difference
/// @param lower       end of the 95 % interval of the difference
/// @param upper       end of it
/// @param noise       of the target, as a share
/// @param noiseRuns   runs of the baseline that gave the noise
/// @param minimumGain that was asked for
/// @param samples     in the order they were measured
public record DecisionFigures(int pairs, double mean, double lower, double upper, double noise, int noiseRuns, double minimumGain, List<Pair> samples) {

    public DecisionFigures {
        samples = List.copyOf(samples);
    }

    static DecisionFigures of(Comparison.Paired paired, GainRule rule) {
        Difference difference = paired.difference();
        return new DecisionFigures(paired.pairs().size(), difference.mean(), difference.lower(), difference.upper(), paired.noise().share(), paired.noise().runs(),
                rule.minimumGain(), paired.pairs());
    }

    /// Such as `-20.1 % (95 % interval -23.0 to -17.0 %, 5 pairs; below -3.7 % counts)`.
    public String text() {
        return format(ROOT, "%+.1f %% (95 %% interval %+.1f to %+.1f %%, %d pairs; below %.1f %% counts)", 100 * mean, 100 * lower, 100 * upper, pairs,
                -100 * Math.max(noise, minimumGain));
    }

    /// Every pair in milliseconds, before and after.
    public String samplesText() {
        return samples.stream().map(pair -> format(ROOT, "%.3f/%.3f", pair.before(), pair.after())).collect(Collectors.joining(" "));
    }
}
