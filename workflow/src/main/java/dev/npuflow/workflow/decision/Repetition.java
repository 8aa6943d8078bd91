package dev.npuflow.workflow.decision;

/// How a target repeats itself: what two measurements of one plan may differ by.
public sealed interface Repetition {

    /// Equal plans take equal times, to the last digit. One sample tells all, and a second one that differs is a fault of the target.
    record Exact() implements Repetition {}

    /// Equal plans take times that differ. How much is measured.
    ///
    /// @param resolution of the target's clock, as a share of the times it measures: a smaller noise is not believed. 0 for a clock that shows every difference
    record Varying(double resolution) implements Repetition {

        public Varying {
            if (!(resolution >= 0 && resolution < 1)) {
                throw new IllegalArgumentException("a resolution of " + resolution);
            }
        }
    }
}
