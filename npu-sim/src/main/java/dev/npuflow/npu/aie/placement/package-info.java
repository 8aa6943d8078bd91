/// What an array must know of a kernel to build and time it.
@NullMarked
package dev.npuflow.npu.aie.placement;

import org.jspecify.annotations.NullMarked;
