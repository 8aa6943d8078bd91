package dev.npuflow.npu.kernel.attention;

/// eˣ for x ≤ 0, the same bits everywhere: x = k · ln 2 + r with |r| ≤ ln 2 / 2, a Taylor polynomial for eʳ (relative error below 2⁻²³), and k into the exponent.
final class Exponential {

    /// Below, the result would be subnormal: taken as 0, as a weight of less than 10⁻³⁷.
    private static final float SMALLEST = -87;
    private static final float LOG2_E = 1.44269504f;
    /// ln 2 in two parts, the first short enough that k times it is exact.
    private static final float LN2_HIGH = 0.693359375f;
    private static final float LN2_LOW = -2.12194440e-4f;
    private static final int BIAS = 127;
    private static final int MANTISSA_BITS = 23;

    private Exponential() {}

    static float of(float x) {
        if (x < SMALLEST) {
            return 0;
        }
        int k = (int) (x * LOG2_E - 0.5f);
        float r = Math.fma(-k, LN2_LOW, Math.fma(-k, LN2_HIGH, x));
        float power = 1 / 5040f;
        power = Math.fma(power, r, 1 / 720f);
        power = Math.fma(power, r, 1 / 120f);
        power = Math.fma(power, r, 1 / 24f);
        power = Math.fma(power, r, 1 / 6f);
        power = Math.fma(power, r, 0.5f);
        power = Math.fma(power, r, 1);
        power = Math.fma(power, r, 1);
        return power * Float.intBitsToFloat((k + BIAS) << MANTISSA_BITS);
    }
}
