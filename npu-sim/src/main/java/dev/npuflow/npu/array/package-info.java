/// The timing of an executable: the device graph, driven by the engine.
@NullMarked
package dev.npuflow.npu.array;

import org.jspecify.annotations.NullMarked;
