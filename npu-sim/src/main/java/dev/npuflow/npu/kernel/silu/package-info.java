/// SiLU of a gate times the up projection.
@NullMarked
package dev.npuflow.npu.kernel.silu;

import org.jspecify.annotations.NullMarked;
