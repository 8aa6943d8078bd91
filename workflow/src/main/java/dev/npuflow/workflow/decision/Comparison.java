package dev.npuflow.workflow.decision;

import dev.npuflow.workflow.decision.Decision.Ground;
import java.util.List;
import org.hipparchus.stat.StatUtils;

/// The times of a plan and of the plan that a change made of it.
public sealed interface Comparison {

    /// Milliseconds of the plan before.
    double before();

    /// Milliseconds of the changed plan.
    double after();

    Decision decide(GainRule rule);

    /// On a target that repeats exactly: one sample of each.
    record Exact(double before, double after) implements Comparison {

        @Override public Decision decide(GainRule rule) {
            double gain = 1 - after / before;
            if (!(gain > 0)) {
                return new Decision.Reverted(this, Ground.NOT_FASTER);
            }
            return gain >= rule.minimumGain() ? new Decision.Kept(this) : new Decision.Reverted(this, Ground.TOO_LITTLE);
        }
    }

    /// On a target that varies: pairs in alternating order, so that a target which grows slower, or faster, as time goes by does so for both.
    ///
    ///     gain that counts  |  within max(noise, smallest gain)  |  slower
    ///            ──────────-t──────────────── 0 ─────────────────┼─────────
    ///     kept      [────]  |                 |                  |
    ///     undecided    [────┼────]            |                  |
    ///     reverted          |  [────]         |    [────]        |
    ///
    /// @param pairs at least two
    /// @param noise of the target
    record Paired(List<Pair> pairs, Noise noise) implements Comparison {

        public Paired {
            pairs = List.copyOf(pairs);
        }

        public Difference difference() {
            return Difference.of(pairs);
        }

        /// The share that the whole interval has to be below.
        double threshold(GainRule rule) {
            return Math.max(noise.share(), rule.minimumGain());
        }

        @Override public Decision decide(GainRule rule) {
            Difference difference = difference();
            double threshold = threshold(rule);
            if (difference.upper() < -threshold) {
                return new Decision.Kept(this);
            }
            if (difference.lower() <= -threshold) {
                return new Decision.Undecided(this);
            }
            return new Decision.Reverted(this, difference.lower() > 0 ? Ground.NOT_FASTER : noise.share() >= rule.minimumGain() ? Ground.WITHIN_NOISE : Ground.TOO_LITTLE);
        }

        @Override public double before() {
            return StatUtils.mean(pairs.stream().mapToDouble(Pair::before).toArray());
        }

        @Override public double after() {
            return StatUtils.mean(pairs.stream().mapToDouble(Pair::after).toArray());
        }
    }
}
