package dev.npuflow.workflow.decision;

import java.util.List;
import org.hipparchus.stat.StatUtils;

/// What two runs of one plan differ by: the root mean square of the difference, as a share of the time.
///
/// @param runs that it was measured with
public record Noise(int runs, double share) {

    /// Of runs of one plan after another, A/A. Two runs differ by √2 times the deviation of one.
    ///
    /// @param milliseconds at least two
    public static Noise of(Repetition.Varying target, List<Double> milliseconds) {
        double deviation = Math.sqrt(StatUtils.variance(milliseconds.stream().mapToDouble(Math::log).toArray()));
        return new Noise(milliseconds.size(), Math.max(target.resolution(), Math.expm1(Math.sqrt(2) * deviation)));
    }
}
