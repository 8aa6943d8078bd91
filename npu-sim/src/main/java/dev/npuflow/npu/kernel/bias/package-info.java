/// One row added to every row.
@NullMarked
package dev.npuflow.npu.kernel.bias;

import org.jspecify.annotations.NullMarked;
