/// RMSNorm, bias addition and RoPE on an array: a row is a tile.
@NullMarked
package dev.npuflow.npu.aie.rows;

import org.jspecify.annotations.NullMarked;
