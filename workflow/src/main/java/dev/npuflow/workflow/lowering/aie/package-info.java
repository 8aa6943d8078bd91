/// Plans for AIE arrays: the baseline, and mlir-air's own deployments.
@NullMarked
package dev.npuflow.workflow.lowering.aie;

import org.jspecify.annotations.NullMarked;
