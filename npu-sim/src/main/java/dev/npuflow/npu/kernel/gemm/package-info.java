/// Matrix times matrix, weights as (out, in).
@NullMarked
package dev.npuflow.npu.kernel.gemm;

import org.jspecify.annotations.NullMarked;
