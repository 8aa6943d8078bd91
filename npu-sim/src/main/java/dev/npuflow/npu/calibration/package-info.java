/// Measured rows, what the simulator says to them, and the fit of the device's calibrated numbers.
@NullMarked
package dev.npuflow.npu.calibration;

import org.jspecify.annotations.NullMarked;
