/// Measured kernel rows, and what the simulator and simpler models say to them.
@NullMarked
package dev.npuflow.npu.aie.measured;

import org.jspecify.annotations.NullMarked;
