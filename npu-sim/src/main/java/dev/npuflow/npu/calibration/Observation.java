package dev.npuflow.npu.calibration;

import dev.npuflow.npu.machine.DeviceDescription;
import java.util.function.ToDoubleFunction;

/// One measurement that a fit may use.
///
/// @param shape    observations of one shape are one piece of evidence: they share their weight
/// @param target   mean error that its family should reach, such as 0.08: a fit counts errors in units of it
/// @param simulate the device's answer, in the unit of `measured`
public record Observation(String id, String family, String shape, double measured, double target, ToDoubleFunction<DeviceDescription> simulate) {

    /// Simulated over measured, minus one.
    public double error(DeviceDescription device) {
        return simulate.applyAsDouble(device) / measured - 1;
    }
}
