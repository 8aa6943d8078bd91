/// Element-wise addition.
@NullMarked
package dev.npuflow.npu.kernel.add;

import org.jspecify.annotations.NullMarked;
