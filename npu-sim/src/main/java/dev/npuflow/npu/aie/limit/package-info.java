/// What a limit of the array is, and those that every herd shares.
@NullMarked
package dev.npuflow.npu.aie.limit;

import org.jspecify.annotations.NullMarked;
