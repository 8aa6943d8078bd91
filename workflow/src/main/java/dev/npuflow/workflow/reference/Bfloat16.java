package dev.npuflow.workflow.reference;

/// The reference's own bf16: the upper half of an fp32, rounded to nearest, ties to even.
///
///     fp32 | s eeeeeeee mmmmmmm | mmmmmmmmmmmmmmmm |
///     bf16 | s eeeeeeee mmmmmmm |  decides rounding
///
/// Rounding adds 0x7fff plus the lowest kept bit and truncates: the carry runs into the exponent where it should, up to infinity. Only a NaN must
/// not take that path, since the carry could make it an infinity or flip its sign.
public final class Bfloat16 {

    private Bfloat16() {}

    /// The nearest bf16 value, as fp32.
    public static float round(float value) {
        return Float.intBitsToFloat(roundedBits(value));
    }

    /// The 16 bits of the nearest bf16.
    public static short bits(float value) {
        return (short) (roundedBits(value) >>> 16);
    }

    /// The fp32 of 16 bits of bf16; exact.
    public static float value(short bits) {
        return Float.intBitsToFloat(bits << 16);
    }

    private static int roundedBits(float value) {
        int bits = Float.floatToRawIntBits(value);
        if (Float.isNaN(value)) {
            return (bits & 0xffff0000) | 0x00400000;
        }
        return (bits + 0x7fff + ((bits >>> 16) & 1)) & 0xffff0000;
    }
}
