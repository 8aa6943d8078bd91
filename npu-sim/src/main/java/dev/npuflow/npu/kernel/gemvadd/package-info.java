/// Matrix times vector plus vector.
@NullMarked
package dev.npuflow.npu.kernel.gemvadd;

import org.jspecify.annotations.NullMarked;
