/// The kernels: legality, meaning and data flow of each.
@NullMarked
package dev.npuflow.npu.kernel;

import org.jspecify.annotations.NullMarked;
