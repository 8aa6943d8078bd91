package dev.npuflow.npu.device;

import java.util.Locale;

/// How far a device's times were held against measurements: errors in percent.
///
/// @param decodeMean  of decode ms/token of whole deployments by upstream's plan
/// @param decodeWorst of them
/// @param kernelMean  of single kernels, the mean of the families' means
public record Accuracy(double decodeMean, double decodeWorst, double kernelMean) {

    @Override public String toString() {
        return String.format(Locale.ROOT, "validated: decode within %.1f %% mean, %.1f %% worst; kernels %.1f %% mean", decodeMean, decodeWorst,
                kernelMean);
    }
}
