/// The kernels: what each computes, by number format, whatever machine it runs on.
@NullMarked
package dev.npuflow.npu.kernel;

import org.jspecify.annotations.NullMarked;
