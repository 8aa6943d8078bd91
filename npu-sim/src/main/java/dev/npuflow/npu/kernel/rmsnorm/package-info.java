/// Root-mean-square normalization of rows.
@NullMarked
package dev.npuflow.npu.kernel.rmsnorm;

import org.jspecify.annotations.NullMarked;
