/// Dot products of bf16 rows, the same bits whichever way they are computed.
@NullMarked
package dev.npuflow.npu.kernel.dot;

import org.jspecify.annotations.NullMarked;
