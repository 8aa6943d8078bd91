/// The numbers of an AIE array.
@NullMarked
package dev.npuflow.npu.aie.array;

import org.jspecify.annotations.NullMarked;
