/// FlashAttention on an array.
@NullMarked
package dev.npuflow.npu.aie.attention;

import org.jspecify.annotations.NullMarked;
