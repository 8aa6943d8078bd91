package dev.npuflow.npu.kernel;

/// bfloat16: the upper half of an IEEE binary32.
///
///     float  | sign | exponent 8 | mantissa 23           |
///     bf16   | sign | exponent 8 | mantissa 7 | (16 bits rounded away)
public final class Bfloat16 {

    private static final int ROUND_HALF = 0x7fff;
    private static final int QUIET_BIT = 0x0040;

    private Bfloat16() {}

    /// Exact.
    public static float toFloat(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    /// Rounds to nearest, ties to even. Overflow gives infinity; a NaN stays a NaN of the same sign, made quiet, since
    /// rounding its payload could carry into the exponent or leave an empty mantissa.
    public static short fromFloat(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            return (short) ((bits >>> 16) | QUIET_BIT);
        }
        return (short) ((bits + ROUND_HALF + ((bits >>> 16) & 1)) >>> 16);
    }
}
