package dev.npuflow.workflow.decision;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hipparchus.distribution.continuous.TDistribution;
import org.hipparchus.stat.StatUtils;
import org.hipparchus.stat.regression.OLSMultipleLinearRegression;

/// By what share the second of two plans takes more time, with an interval that holds the true share, 95 times of 100 where nothing else is said. Below 0 it takes less.
///
/// Shares are compared by their logarithms, so that half and twice the time weigh the same; Student's t widens the interval for few samples, and one sample that is far off
/// widens it more than it moves the mean.
///
/// @param mean  the geometric one
public record Difference(double mean, double lower, double upper) {

    private static final double CONFIDENCE = 0.95;
    private static final int LINE_PARAMETERS = 3;
    private static final int STEP = 2;

    /// Of pairs: what slows both of a pair cancels out.
    ///
    /// @param pairs at least two
    static Difference of(List<Pair> pairs) {
        double[] ratios = pairs.stream().mapToDouble(pair -> Math.log(pair.after() / pair.before())).toArray();
        return around(StatUtils.mean(ratios), Math.sqrt(StatUtils.variance(ratios) / ratios.length), ratios.length - 1.0, CONFIDENCE);
    }

    /// Of two series that were measured one after the other: the step between them, beside a drift that goes on through both. It is the line
    ///
    ///     log milliseconds = start + drift · run + step · (0 before, 1 again)
    ///
    /// that fits best, so that a device which grows warm all the time is not taken for one that changed at once.
    ///
    /// @param before     at least two
    /// @param again      at least two
    /// @param confidence of the interval, a share
    static Difference step(List<Sample> before, List<Sample> again, double confidence) {
        List<Sample> all = Stream.concat(before.stream(), again.stream()).toList();
        double[][] places = IntStream.range(0, all.size()).mapToObj(i -> new double[] {all.get(i).run(), i < before.size() ? 0 : 1}).toArray(double[][]::new);
        OLSMultipleLinearRegression line = new OLSMultipleLinearRegression();
        line.newSampleData(all.stream().mapToDouble(sample -> Math.log(sample.milliseconds())).toArray(), places);
        return around(line.estimateRegressionParameters()[STEP], line.estimateRegressionParametersStandardErrors()[STEP], all.size() - LINE_PARAMETERS, confidence);
    }

    private static Difference around(double mean, double error, double freedom, double confidence) {
        double half = error * new TDistribution(freedom).inverseCumulativeProbability((1 + confidence) / 2);
        return new Difference(Math.expm1(mean), Math.expm1(mean - half), Math.expm1(mean + half));
    }
}
