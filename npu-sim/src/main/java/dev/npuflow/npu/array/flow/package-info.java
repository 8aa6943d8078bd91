/// How data flows through the array while a kernel runs: one class a kernel, each laying agents, locks and links for one launch.
@NullMarked
package dev.npuflow.npu.array.flow;

import org.jspecify.annotations.NullMarked;
