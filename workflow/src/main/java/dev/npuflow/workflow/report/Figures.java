package dev.npuflow.workflow.report;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

/// Numbers as the text blocks print them.
final class Figures {

    static final double PICOSECONDS_A_MILLISECOND = 1e9;
    private static final double BYTES_A_MEGABYTE = 1024.0 * 1024.0;

    private Figures() {}

    /// Milliseconds with upstream's two decimals; below 10 ms with four, since a small model's layer takes microseconds.
    static String milliseconds(int width, double picoseconds) {
        double value = picoseconds / PICOSECONDS_A_MILLISECOND;
        return format(ROOT, Math.abs(value) < 10 ? "%" + width + ".4f" : "%" + width + ".2f", value);
    }

    /// Seconds; to the microsecond below 10 s.
    static String seconds(double picoseconds) {
        double value = picoseconds / 1e12;
        return format(ROOT, value < 10 ? "%.6f" : "%.2f", value);
    }

    /// Upstream's MB, which is 2²⁰ bytes: a 2048 × 2048 bf16 matrix is 8 of them.
    static String megabytes(int width, double bytes) {
        double value = bytes / BYTES_A_MEGABYTE;
        return format(ROOT, value < 10 ? "%" + width + ".3f" : "%" + width + ".1f", value);
    }
}
