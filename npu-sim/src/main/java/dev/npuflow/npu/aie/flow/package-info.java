/// How data flows through the array while a kernel runs: what the kernels share.
@NullMarked
package dev.npuflow.npu.aie.flow;

import org.jspecify.annotations.NullMarked;
