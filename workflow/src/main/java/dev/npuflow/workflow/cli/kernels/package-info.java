/// Commands on one kernel.
@NullMarked
package dev.npuflow.workflow.cli.kernels;

import org.jspecify.annotations.NullMarked;
