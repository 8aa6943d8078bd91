package dev.npuflow.npu.calibration;

import dev.npuflow.npu.device.DeviceDescription;
import java.util.List;

/// What simpler models say to the same rows, so that a simulator has to earn its keep.
final class Baselines {

    /// Peak bf16 multiply-adds a cycle and core: 512 BFP16 MACs a cycle, two a bf16 MAC (AMD IRON flm README).
    private static final double PEAK_MACS = 256;

    private Baselines() {}

    /// Mean absolute error of max(bytes / DDR bandwidth, operations / peak).
    static double roofline(List<KernelCase.Timed> cases, DeviceDescription device) {
        double peak = 2 * PEAK_MACS * device.clock().hertz() * device.array().columns() * device.array().coreRows();
        return cases.stream().mapToDouble(row -> Math.abs(1e6 * Math.max(row.minimumBytes() / device.dram().totalRate(), row.flops() / peak)
                / row.measuredMicroseconds() - 1)).average().orElse(0);
    }

    /// Mean absolute error of a + b · bytes, both fitted to these rows by least squares of the relative error.
    static double affine(List<KernelCase.Timed> cases) {
        double aa = 0;
        double ab = 0;
        double bb = 0;
        double a1 = 0;
        double b1 = 0;
        for (KernelCase.Timed row : cases) {
            double a = 1 / row.measuredMicroseconds();
            double b = row.minimumBytes() / row.measuredMicroseconds();
            aa += a * a;
            ab += a * b;
            bb += b * b;
            a1 += a;
            b1 += b;
        }
        double determinant = aa * bb - ab * ab;
        boolean one = determinant <= 1e-9 * aa * bb;
        double offset = one ? 0 : (a1 * bb - b1 * ab) / determinant;
        double slope = one ? b1 / bb : (aa * b1 - ab * a1) / determinant;
        return cases.stream().mapToDouble(row -> Math.abs((offset + slope * row.minimumBytes()) / row.measuredMicroseconds() - 1)).average()
                .orElse(0);
    }
}
