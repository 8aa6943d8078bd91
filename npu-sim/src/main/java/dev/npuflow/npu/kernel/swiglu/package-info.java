/// The first half of a feed-forward network in one kernel: norm, gate and up projection, SiLU times up.
@NullMarked
package dev.npuflow.npu.kernel.swiglu;

import org.jspecify.annotations.NullMarked;
