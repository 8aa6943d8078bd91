package dev.npuflow.workflow.model;

/// The quantiles of a normal distribution as bf16: entry i is the value below which the share (i + 1/2) / 65536 lies. Sixteen uniform bits index it, so
/// a draw costs one load. StrictMath makes it equal on every machine.
final class NormalTable {

    private static final int SIZE = 1 << 16;

    private NormalTable() {}

    static short[] of(double sigma) {
        short[] table = new short[SIZE];
        for (int i = 0; i < SIZE; i++) {
            table[i] = Bf16.round(Float.floatToRawIntBits((float) (sigma * quantile((i + 0.5) / SIZE))));
        }
        return table;
    }

    /// Rational approximation of the inverse normal distribution, relative error below 1.15e-9 (P. J. Acklam, 2003).
    static double quantile(double share) {
        if (share < 0.02425) {
            return tail(StrictMath.sqrt(-2 * StrictMath.log(share)));
        }
        if (share > 1 - 0.02425) {
            return -tail(StrictMath.sqrt(-2 * StrictMath.log(1 - share)));
        }
        double q = share - 0.5;
        double r = q * q;
        return (((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r + 138.3577518672690) * r - 30.66479806614716) * r
                + 2.506628277459239) * q
                / (((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r + 66.80131188771972) * r - 13.28068155288572) * r + 1);
    }

    private static double tail(double q) {
        return (((((-0.007784894002430293 * q - 0.3223964580411365) * q - 2.400758277161838) * q - 2.549732539343734) * q + 4.374664141464968) * q
                + 2.938163982698783)
                / ((((0.007784695709041462 * q + 0.3224671290700398) * q + 2.445134137142996) * q + 3.754408661907416) * q + 1);
    }
}
