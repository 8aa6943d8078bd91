package dev.npuflow.workflow.generation;

/// How far one distribution over the next token is from another: the Kullback-Leibler divergence, in nats.
///
///     KL(p ‖ q) = Σ p(i) · (ln p(i) − ln q(i))     with p, q the softmax of each side's logits
///
/// Source: S. Kullback and R. A. Leibler, "On Information and Sufficiency", Annals of Mathematical Statistics 22 (1951).
public final class Divergence {

    private Divergence() {}

    /// In double precision, so that a divergence of 1e-9 is no rounding error of this sum; `StrictMath`, so that it has the same bits on every machine.
    ///
    /// @param expected logits of p, finite
    /// @param actual   logits of q, finite, as many
    /// @return 0 or more
    /// @throws IllegalArgumentException if one side has more entries
    public static double of(float[] expected, float[] actual) {
        if (expected.length != actual.length) {
            throw new IllegalArgumentException("%d logits against %d".formatted(expected.length, actual.length));
        }
        float expectedMaximum = maximum(expected);
        float actualMaximum = maximum(actual);
        double expectedSum = 0;
        double actualSum = 0;
        double weighted = 0;
        for (int i = 0; i < expected.length; i++) {
            double p = (double) expected[i] - expectedMaximum;
            double q = (double) actual[i] - actualMaximum;
            double mass = StrictMath.exp(p);
            expectedSum += mass;
            actualSum += StrictMath.exp(q);
            weighted += mass * (p - q);
        }
        return Math.max(0, weighted / expectedSum + StrictMath.log(actualSum) - StrictMath.log(expectedSum));
    }

    private static float maximum(float[] logits) {
        float maximum = Float.NEGATIVE_INFINITY;
        for (float logit : logits) {
            maximum = Math.max(maximum, logit);
        }
        return maximum;
    }
}
