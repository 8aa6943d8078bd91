package dev.npuflow.npu.device;

import java.util.Locale;
import java.util.Optional;

/// How far a device's times were held against measurements: errors in percent.
///
/// @param decodeMean  of decode ms/token of whole deployments by upstream's plan
/// @param decodeWorst of them
/// @param kernelMean  of single kernels, the mean of the families' means
public record Accuracy(double decodeMean, double decodeWorst, double kernelMean) {

    /// Reads the section `accuracy` of a device file, where it has one.
    public static Optional<Accuracy> read(FieldReader f) {
        return f.has("accuracy.decode_mean_percent") ? Optional.of(new Accuracy(f.number("accuracy.decode_mean_percent", 0, 1000),
                f.number("accuracy.decode_worst_percent", 0, 1000), f.number("accuracy.kernel_mean_percent", 0, 1000))) : Optional.empty();
    }

    @Override public String toString() {
        return String.format(Locale.ROOT, "validated: decode within %.1f %% mean, %.1f %% worst; kernels %.1f %% mean", decodeMean, decodeWorst,
                kernelMean);
    }
}
