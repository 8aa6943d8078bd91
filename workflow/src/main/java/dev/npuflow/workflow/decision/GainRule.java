package dev.npuflow.workflow.decision;

/// Which gain counts, and how often a target that varies is asked.
///
/// @param minimumGain share of the time before by which a plan must take less, 0 or more and below 1
/// @param pairs       measured before the first decision, and as many runs of the baseline alone give the noise: at least 5
/// @param mostPairs   after so many, what is undecided is within the noise
public record GainRule(double minimumGain, int pairs, int mostPairs) {

    /// Less than this is nothing that a device would show: 0.1 %. A change of one picosecond is no gain.
    public static final double USUAL_GAIN = 0.001;

    /// Fewer say little of how much a target varies.
    static final int FEWEST_PAIRS = 5;

    public static final GainRule USUAL = new GainRule(USUAL_GAIN, FEWEST_PAIRS, 20);

    public GainRule {
        if (!(minimumGain >= 0 && minimumGain < 1)) {
            throw new IllegalArgumentException("a smallest gain of " + minimumGain);
        }
        if (pairs < FEWEST_PAIRS || mostPairs < pairs) {
            throw new IllegalArgumentException("%d pairs and at most %d".formatted(pairs, mostPairs));
        }
    }

    public GainRule withMinimumGain(double share) {
        return new GainRule(share, pairs, mostPairs);
    }
}
