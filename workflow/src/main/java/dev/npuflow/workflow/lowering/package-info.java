/// Where a plan meets the simulator: baseline, tiles, compile, run.
@NullMarked
package dev.npuflow.workflow.lowering;

import org.jspecify.annotations.NullMarked;
