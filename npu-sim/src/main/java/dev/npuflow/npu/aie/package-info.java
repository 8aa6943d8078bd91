/// AIE arrays: a machine of columns with a shim, a memtile and cores each.
@NullMarked
package dev.npuflow.npu.aie;

import org.jspecify.annotations.NullMarked;
