/// What a limit of the hardware is, and those that every herd shares.
@NullMarked
package dev.npuflow.npu.kernel.limit;

import org.jspecify.annotations.NullMarked;
