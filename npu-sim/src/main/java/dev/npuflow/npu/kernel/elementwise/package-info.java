/// What the element-wise kernels share: limits of a streamed tile, and the walk over blocks.
@NullMarked
package dev.npuflow.npu.kernel.elementwise;

import org.jspecify.annotations.NullMarked;
