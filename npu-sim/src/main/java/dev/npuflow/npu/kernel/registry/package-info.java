/// Which kernels there are: the one place that knows them all.
@NullMarked
package dev.npuflow.npu.kernel.registry;

import org.jspecify.annotations.NullMarked;
