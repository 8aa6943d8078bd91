/// The NPU run's host operations, fp32 as upstream's numpy.
@NullMarked
package dev.npuflow.workflow.host;

import org.jspecify.annotations.NullMarked;
