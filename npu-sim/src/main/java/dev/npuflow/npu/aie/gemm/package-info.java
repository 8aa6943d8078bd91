/// GEMM on an array.
@NullMarked
package dev.npuflow.npu.aie.gemm;

import org.jspecify.annotations.NullMarked;
