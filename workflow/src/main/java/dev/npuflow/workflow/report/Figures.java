package dev.npuflow.workflow.report;

import static java.lang.String.format;
import static java.util.Locale.ROOT;

import java.util.Comparator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// Numbers as the text blocks print them.
final class Figures {

    /// Of means, which are no whole picoseconds.
    private static final double PICOSECONDS_A_MILLISECOND = 1e9;
    private static final double PICOSECONDS_A_SECOND = 1e12;
    private static final double BYTES_A_MEGABYTE = 1024.0 * 1024.0;

    private Figures() {}

    /// Milliseconds with upstream's two decimals; below 10 ms with four, since a small model's layer takes microseconds.
    static String milliseconds(int width, double picoseconds) {
        double value = picoseconds / PICOSECONDS_A_MILLISECOND;
        return format(ROOT, Math.abs(value) < 10 ? "%" + width + ".4f" : "%" + width + ".2f", value);
    }

    /// Seconds; to the microsecond below 10 s.
    static String seconds(double picoseconds) {
        double value = picoseconds / PICOSECONDS_A_SECOND;
        return format(ROOT, value < 10 ? "%.6f" : "%.2f", value);
    }

    /// Upstream's MB, which is 2²⁰ bytes: a 2048 × 2048 bf16 matrix is 8 of them. A kilobyte is not 0.000 of them: below 0.001 to the byte.
    static String megabytes(int width, double bytes) {
        double value = bytes / BYTES_A_MEGABYTE;
        return format(ROOT, "%" + width + (value >= 10 ? ".1f" : value >= 0.001 || value == 0 ? ".3f" : ".6f"), value);
    }

    /// Parts as whole per cent of their sum, which add up to 100: each is rounded down, and what is missing goes to those that lost most (the largest
    /// remainder, of equal ones the first).
    ///
    /// @param parts none negative, one positive
    static long[] percent(long... parts) {
        double whole = LongStream.of(parts).sum();
        long[] percent = LongStream.of(parts).map(part -> (long) (100 * part / whole)).toArray();
        IntStream.range(0, parts.length).boxed().sorted(Comparator.comparingDouble(i -> percent[i] - 100 * parts[i] / whole))
                .limit(100 - LongStream.of(percent).sum()).forEach(i -> percent[i]++);
        return percent;
    }
}
