/// Rotary position embedding from a look-up table.
@NullMarked
package dev.npuflow.npu.kernel.rope;

import org.jspecify.annotations.NullMarked;
