package dev.npuflow.workflow.phase;

import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongToDoubleFunction;

/// The clock of a machine that does not repeat itself: each time is off by chance, and the machine may grow slower as it grows warm. The same seed gives the same times.
///
/// One run of ten varies four times as much as the others: with a deviation of 3.35 %, two runs of one plan differ by 3.7 % in the middle, and one difference of ten is
/// about three times that. That is what mlir-air's nightly runs of one commit on one machine do (docs/adr/0020).
final class NoisyClock implements DoubleUnaryOperator {

    /// Of the usual nine runs of ten: what upstream's nightly shows.
    static final double NIGHTLY = 0.0335;

    private static final double RARE = 0.1;
    private static final double RARE_FACTOR = 4;

    private final Random random;
    private final double deviation;
    private final LongToDoubleFunction drift;
    private long runs;

    /// @param deviation of the usual runs, as a share
    /// @param drift     by how much a run is slower than the first, as a share, by how many runs there were
    NoisyClock(long seed, double deviation, LongToDoubleFunction drift) {
        this.random = new Random(seed);
        this.deviation = deviation;
        this.drift = drift;
    }

    @Override public double applyAsDouble(double milliseconds) {
        double spread = random.nextDouble() < RARE ? RARE_FACTOR * deviation : deviation;
        return milliseconds * Math.exp(spread * random.nextGaussian()) * (1 + drift.applyAsDouble(runs++));
    }
}
