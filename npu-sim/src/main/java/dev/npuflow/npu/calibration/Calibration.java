package dev.npuflow.npu.calibration;

import dev.npuflow.npu.device.DeviceFile;
import dev.npuflow.npu.device.Quantity;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SequencedMap;
import java.util.stream.IntStream;
import org.hipparchus.linear.Array2DRowRealMatrix;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.QRDecomposition;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;
import org.hipparchus.linear.SingularValueDecomposition;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LeastSquaresBuilder;
import org.hipparchus.optim.nonlinear.vector.leastsquares.LevenbergMarquardtOptimizer;
import org.hipparchus.optim.nonlinear.vector.leastsquares.MultivariateJacobianFunction;
import org.hipparchus.util.Pair;

/// Fits the quantities that a device file marks `calibrated` to measurements: Levenberg–Marquardt on the logarithm of simulated over measured, in
/// the logarithm of each quantity, kept inside its plausible range. Rows of one shape share one unit of weight.
public final class Calibration {

    private static final double STEP = 0.02;
    private static final double REFERENCE_TARGET = 0.08;
    private static final int MAXIMUM_EVALUATIONS = 60;

    private final DeviceFile start;
    private final List<Observation> observations;
    private final List<String> parameters;
    private final double[] weights;
    /// Which quantity moves which observation; one that did not move it at the start is not tried again.
    private final boolean[][] touches;

    /// @param parameters paths of the quantities to fit; each must be calibrated in the file
    public Calibration(DeviceFile start, List<Observation> observations, List<String> parameters) {
        this.start = start;
        this.observations = List.copyOf(observations);
        this.parameters = List.copyOf(parameters);
        touches = new boolean[parameters.size()][observations.size()];
        for (boolean[] row : touches) {
            Arrays.fill(row, true);
        }
        Map<String, Long> ofShape = new LinkedHashMap<>();
        observations.forEach(o -> ofShape.merge(o.family() + o.shape(), 1L, Long::sum));
        weights = observations.stream().mapToDouble(o -> REFERENCE_TARGET / o.target() / Math.sqrt(ofShape.get(o.family() + o.shape()))).toArray();
    }

    /// Every calibrated quantity of the file.
    public static List<String> calibrated(DeviceFile file) {
        return file.quantities().entrySet().stream().filter(e -> e.getValue().calibrated()).map(Map.Entry::getKey).toList();
    }

    /// The calibrated quantities that move at least one of the observations by more than a thousandth when they change by a tenth.
    public static List<String> touched(DeviceFile file, List<Observation> observations) {
        var device = Devices.describe(file);
        double[] before = observations.stream().mapToDouble(o -> o.error(device)).toArray();
        return calibrated(file).stream().filter(path -> {
            Quantity quantity = file.quantities().get(path);
            var moved = Devices.describe(file.with(path, quantity.value() * (quantity.value() * 1.1 > quantity.high() ? 0.9 : 1.1)));
            return IntStream.range(0, before.length).anyMatch(o -> Math.abs(observations.get(o).error(moved) - before[o]) > 1e-3);
        }).toList();
    }

    /// @param halfWidth of the 95 % confidence interval, in the unit of the quantity; empty where the rows do not determine it
    public record Fitted(double before, double after, OptionalDouble halfWidth, double low, double high) {}

    /// @param errors       simulated over measured minus one, by observation id
    /// @param leaveOneOut  the error of each observation when it is left out, by the linearized fit (residual over one minus leverage)
    public record Result(DeviceFile file, SequencedMap<String, Fitted> fitted, SequencedMap<String, Double> errors,
            SequencedMap<String, Double> leaveOneOut) {}

    public Result fit(int iterations) {
        double[] initial = parameters.stream().mapToDouble(path -> Math.log(start.quantities().get(path).value())).toArray();
        var problem = new LeastSquaresBuilder().model(model()).target(new double[observations.size()]).start(initial)
                .parameterValidator(this::inside).maxEvaluations(MAXIMUM_EVALUATIONS).maxIterations(iterations)
                .checker((iteration, before,
                        after) -> iteration >= iterations - 1 || Math.abs(before.getCost() - after.getCost()) < 1e-4 * before.getCost())
                .build();
        double[] best = new LevenbergMarquardtOptimizer().optimize(problem).getPoint().toArray();
        return result(best);
    }

    private Result result(double[] best) {
        DeviceFile file = fileAt(best);
        double[] residuals = residuals(file);
        RealMatrix jacobian = jacobian(best, residuals);
        double[] leverage = leverage(jacobian);
        double variance = IntStream.range(0, residuals.length).mapToDouble(i -> residuals[i] * residuals[i]).sum()
                / Math.max(1, residuals.length - parameters.size());
        RealMatrix inverse = new SingularValueDecomposition(jacobian.transposeMultiply(jacobian)).getSolver().getInverse();
        SequencedMap<String, Fitted> fitted = new LinkedHashMap<>();
        for (int p = 0; p < parameters.size(); p++) {
            Quantity quantity = start.quantities().get(parameters.get(p));
            double after = file.quantities().get(parameters.get(p)).value();
            boolean determined = jacobian.getColumnVector(p).getNorm() > 1e-6;
            OptionalDouble halfWidth = determined ? OptionalDouble.of(1.96 * Math.sqrt(Math.max(0, variance * inverse.getEntry(p, p))) * after)
                    : OptionalDouble.empty();
            fitted.put(parameters.get(p), new Fitted(quantity.value(), after, halfWidth, quantity.low(), quantity.high()));
        }
        SequencedMap<String, Double> errors = new LinkedHashMap<>();
        SequencedMap<String, Double> leaveOneOut = new LinkedHashMap<>();
        for (int o = 0; o < residuals.length; o++) {
            double residual = residuals[o] / weights[o];
            errors.put(observations.get(o).id(), Math.expm1(residual));
            leaveOneOut.put(observations.get(o).id(), Math.expm1(residual / Math.max(0.05, 1 - leverage[o])));
        }
        return new Result(file, fitted, errors, leaveOneOut);
    }

    private MultivariateJacobianFunction model() {
        return point -> {
            double[] at = point.toArray();
            double[] residuals = residuals(fileAt(at));
            return new Pair<RealVector, RealMatrix>(new ArrayRealVector(residuals), jacobian(at, residuals));
        };
    }

    private RealMatrix jacobian(double[] at, double[] residuals) {
        RealMatrix jacobian = new Array2DRowRealMatrix(residuals.length, at.length);
        IntStream.range(0, at.length).parallel().mapToObj(p -> {
            double[] moved = at.clone();
            moved[p] += at[p] + STEP > Math.log(start.quantities().get(parameters.get(p)).high()) ? -STEP : STEP;
            var device = Devices.describe(fileAt(moved));
            double[] column = new double[residuals.length];
            for (int o = 0; o < column.length; o++) {
                column[o] = touches[p][o] ? (residual(o, device) - residuals[o]) / (moved[p] - at[p]) : 0;
                touches[p][o] = column[o] != 0;
            }
            return Pair.create(p, column);
        }).toList().forEach(column -> jacobian.setColumn(column.getFirst(), column.getSecond()));
        return jacobian;
    }

    private double[] residuals(DeviceFile file) {
        var device = Devices.describe(file);
        double[] residuals = new double[observations.size()];
        IntStream.range(0, residuals.length).parallel()
                .forEach(o -> residuals[o] = residual(o, device));
        return residuals;
    }

    private double residual(int observation, DeviceDescription device) {
        return weights[observation] * Math.log1p(observations.get(observation).error(device));
    }

    /// Diagonal of the hat matrix.
    private static double[] leverage(RealMatrix jacobian) {
        List<Integer> columns = new ArrayList<>();
        for (int p = 0; p < jacobian.getColumnDimension(); p++) {
            if (jacobian.getColumnVector(p).getNorm() > 1e-6) {
                columns.add(p);
            }
        }
        double[] leverage = new double[jacobian.getRowDimension()];
        if (columns.isEmpty() || columns.size() > leverage.length) {
            return leverage;
        }
        RealMatrix used = jacobian.getSubMatrix(IntStream.range(0, leverage.length).toArray(), columns.stream().mapToInt(Integer::intValue)
                .toArray());
        RealMatrix q = new QRDecomposition(used).getQ();
        for (int o = 0; o < leverage.length; o++) {
            for (int p = 0; p < columns.size(); p++) {
                leverage[o] += q.getEntry(o, p) * q.getEntry(o, p);
            }
        }
        return leverage;
    }

    private RealVector inside(RealVector point) {
        RealVector inside = point.copy();
        for (int p = 0; p < parameters.size(); p++) {
            Quantity quantity = start.quantities().get(parameters.get(p));
            double low = Math.log(Math.max(quantity.low(), quantity.high() * 1e-3));
            inside.setEntry(p, Math.clamp(inside.getEntry(p), low, Math.log(quantity.high())));
        }
        return inside;
    }

    private DeviceFile fileAt(double[] point) {
        DeviceFile file = start;
        for (int p = 0; p < point.length; p++) {
            file = file.with(parameters.get(p), Math.exp(point[p]));
        }
        return file;
    }
}
