package dev.npuflow.npu.calibration;

import dev.npuflow.npu.device.DeviceDescription;
import java.util.List;

/// Mean absolute errors of simpler models on the same rows, so that a simulator has to earn its keep.
public final class SimplerModels {

    /// Peak bf16 multiply-adds a cycle and core: 512 BFP16 MACs a cycle, two a bf16 MAC (AMD IRON flm README).
    private static final double PEAK_MACS = 256;

    private SimplerModels() {}

    /// Something measured.
    ///
    /// @param bytes      that must come from memory or go there
    /// @param operations floating-point operations
    public record Work(double bytes, double operations, double microseconds) {}

    /// The larger of bytes over DDR bandwidth and operations over peak.
    public static double roofline(List<Work> rows, DeviceDescription device) {
        double peak = 2 * PEAK_MACS * device.clock().hertz() * device.array().columns() * device.array().coreRows();
        return rows.stream().mapToDouble(row -> Math.abs(1e6 * Math.max(row.bytes / device.dram().totalRate(), row.operations / peak)
                / row.microseconds - 1)).average().orElse(0);
    }

    /// a + b · bytes, fitted to these rows by least squares of the relative error: minimizes Σ (a·p + b·q − 1)² with p = 1/measured, q =
    /// bytes/measured.
    public static double affine(List<Work> rows) {
        double pp = 0;
        double pq = 0;
        double qq = 0;
        double p1 = 0;
        double q1 = 0;
        for (Work row : rows) {
            double p = 1 / row.microseconds;
            double q = row.bytes / row.microseconds;
            pp += p * p;
            pq += p * q;
            qq += q * q;
            p1 += p;
            q1 += q;
        }
        double determinant = pp * qq - pq * pq;
        boolean oneSize = determinant <= 1e-9 * pp * qq;
        double a = oneSize ? 0 : (p1 * qq - q1 * pq) / determinant;
        double b = oneSize ? q1 / qq : (pp * q1 - pq * p1) / determinant;
        return rows.stream().mapToDouble(row -> Math.abs((a + b * row.bytes) / row.microseconds - 1)).average().orElse(0);
    }
}
