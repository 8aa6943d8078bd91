/// GEMV and the kernels fused with it on an array.
@NullMarked
package dev.npuflow.npu.aie.gemv;

import org.jspecify.annotations.NullMarked;
