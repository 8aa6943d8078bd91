/// Matrix times vector.
@NullMarked
package dev.npuflow.npu.kernel.gemv;

import org.jspecify.annotations.NullMarked;
