package dev.npuflow.workflow.decision;

import java.util.List;

/// Whether a plan that was put back takes as long as before: the times say that the target really runs it again.
public sealed interface Restoration {

    /// It takes as long, within the noise.
    record Same() implements Restoration {}

    /// It takes another time than noise and drift of the target explain.
    ///
    /// @param difference of the plan that was put back from the plan before
    record Changed(Difference difference) implements Restoration {}

    /// More samples may tell. Where no more are measured, nothing speaks against it.
    record Undecided() implements Restoration {}

    /// An accusation ends the phase. So the interval is wider than that of a gain: chance makes one of 1000 honest reverts look wrong, not five of 100.
    double CONFIDENCE = 0.999;

    /// On a target that varies.
    ///
    /// @param before the last samples of the plan before, at least two
    /// @param again  those since it was put back, at least two
    static Restoration of(List<Sample> before, List<Sample> again, Noise noise) {
        Difference difference = Difference.step(before, again, CONFIDENCE);
        if (difference.lower() > noise.share() || difference.upper() < -noise.share()) {
            return new Changed(difference);
        }
        return difference.lower() >= -noise.share() && difference.upper() <= noise.share() ? new Same() : new Undecided();
    }
}
