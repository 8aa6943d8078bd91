/// What the hardware is: device files, read and checked.
@NullMarked
package dev.npuflow.npu.device;

import org.jspecify.annotations.NullMarked;
