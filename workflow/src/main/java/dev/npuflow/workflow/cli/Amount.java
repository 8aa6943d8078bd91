package dev.npuflow.workflow.cli;

import java.util.Locale;

/// Numbers as people write them, for text. JSON has them raw.
final class Amount {

    private static final String[] UNITS = {"bytes", "kB", "MB", "GB", "TB", "PB", "EB"};

    private Amount() {}

    /// 1,235,814,400.
    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /// 2.5 GB: two digits at least, in powers of 1000.
    static String bytes(long bytes) {
        if (bytes < 1000) {
            return "%d bytes".formatted(bytes);
        }
        double value = bytes;
        int unit = 0;
        while (value >= 999.5) {
            value /= 1000;
            unit++;
        }
        return String.format(Locale.ROOT, value < 9.95 ? "%.1f %s" : "%.0f %s", value, UNITS[unit]);
    }
}
