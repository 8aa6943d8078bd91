/// What `npuflow sim` does with AIE arrays: probes, and the simulator against measured kernels and deployments.
@NullMarked
package dev.npuflow.workflow.cli.sim.aie;

import org.jspecify.annotations.NullMarked;
