package dev.npuflow.npu.device;

/// A number of a device file and where it is from.
///
/// @param origin     source or what it was calibrated against; empty where the file only has a comment
/// @param calibrated whether a fit may move it
/// @param low        least plausible value of a calibrated quantity
/// @param high       greatest plausible value of a calibrated quantity
public record Quantity(double value, String origin, boolean calibrated, double low, double high) {

    static Quantity plain(double value, String origin) {
        return new Quantity(value, origin, false, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);
    }

    Quantity withValue(double other) {
        return new Quantity(other, origin, calibrated, low, high);
    }
}
