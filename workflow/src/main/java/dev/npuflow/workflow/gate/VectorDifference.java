package dev.npuflow.workflow.gate;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import java.util.Optional;

/// How far two vectors of equal length are apart.
///
/// @param cosine       0 where a side has no length, unless both are the same bits
/// @param differing    entries whose bits differ
/// @param first        index of the first of them, -1 for none
/// @param finite       whether every entry of both sides is
record VectorDifference(double cosine, double maxAbs, double maxRel, int differing, int first, boolean finite) {

    private static final double SMALLEST_DENOMINATOR = 1e-6;

    static VectorDifference of(float[] before, float[] after) {
        double dot = 0;
        double beforeSquares = 0;
        double afterSquares = 0;
        double maxAbs = 0;
        double maxRel = 0;
        int differing = 0;
        int first = -1;
        boolean finite = true;
        for (int i = 0; i < before.length; i++) {
            double a = before[i];
            double b = after[i];
            finite &= Double.isFinite(a) && Double.isFinite(b);
            dot += a * b;
            beforeSquares += a * a;
            afterSquares += b * b;
            if (Float.floatToRawIntBits(before[i]) != Float.floatToRawIntBits(after[i])) {
                first = differing++ == 0 ? i : first;
                maxAbs = Math.max(maxAbs, Math.abs(a - b));
                maxRel = Math.max(maxRel, Math.abs(a - b) / Math.max(Math.abs(a), SMALLEST_DENOMINATOR));
            }
        }
        double lengths = Math.sqrt(beforeSquares) * Math.sqrt(afterSquares);
        double cosine = differing == 0 ? 1 : lengths == 0 ? 0 : Math.clamp(dot / lengths, -1, 1);
        return new VectorDifference(finite ? cosine : 0, maxAbs, maxRel, differing, first, finite);
    }

    /// Why this is too far; empty where it is not.
    Optional<String> fault(boolean changesArithmetic) {
        if (!finite) {
            return Optional.of("a value is not finite");
        }
        if (changesArithmetic) {
            return cosine >= SelfCheck.SMALLEST_COSINE ? Optional.empty()
                    : Optional.of(format(ROOT, "cosine %.6f is below %.2f (max abs %.4g)", cosine, SelfCheck.SMALLEST_COSINE, maxAbs));
        }
        return differing == 0 ? Optional.empty()
                : Optional.of(format(ROOT, "%d values differ, the first at index %d (cosine %.6f, max abs %.4g)",
                        differing, first, cosine, maxAbs));
    }
}
