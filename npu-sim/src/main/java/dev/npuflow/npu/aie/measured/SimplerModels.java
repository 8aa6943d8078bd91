package dev.npuflow.npu.aie.measured;

import dev.npuflow.npu.aie.AieDevice;
import dev.npuflow.npu.aie.array.AieHardware;
import dev.npuflow.npu.machine.DeviceDescription;
import java.util.List;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.hipparchus.linear.SingularValueDecomposition;

/// Mean absolute errors of simpler models on the same rows, so that a simulator has to earn its keep.
public final class SimplerModels {

    private SimplerModels() {}

    /// Something measured.
    ///
    /// @param bytes      that must come from memory or go there
    /// @param operations floating-point operations
    public record Work(double bytes, double operations, double microseconds) {}

    /// The larger of bytes over DDR bandwidth and operations over peak.
    public static double roofline(List<Work> rows, DeviceDescription description) {
        AieHardware device = AieDevice.of(description).hardware();
        double peak = 2 * device.core().gemmMacs() * device.clock().hertz() * device.array().columns() * device.array().coreRows();
        return rows.stream().mapToDouble(row -> Math.abs(1e6 * Math.max(row.bytes / device.dram().totalRate(), row.operations / peak)
                / row.microseconds - 1)).average().orElse(0);
    }

    /// a + b · bytes, fitted to these rows by least squares of the relative error: minimizes Σ (a·p + b·q − 1)² with p = 1/measured, q =
    /// bytes/measured. Where all rows are of one size, many such lines are equally good, and have the same error.
    public static double affine(List<Work> rows) {
        double most = rows.stream().mapToDouble(Work::bytes).max().orElse(0);
        double[][] terms = rows.stream().map(row -> new double[] {1 / row.microseconds, row.bytes / most / row.microseconds}).toArray(double[][]::new);
        RealVector ones = new ArrayRealVector(rows.size(), 1);
        RealMatrix matrix = new Array2DRowRealMatrix(terms);
        RealVector fitted = matrix.operate(new SingularValueDecomposition(matrix).getSolver().solve(ones));
        return fitted.subtract(ones).getL1Norm() / rows.size();
    }
}
