/// How long whole commands take, and how much memory; how fast the NPU's kernels read weights, and how fast the engine's queue is.
@NullMarked
package dev.npuflow.benchmarks;

import org.jspecify.annotations.NullMarked;
