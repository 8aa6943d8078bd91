/// The border behind which a kind of machine stands: what a device file must hold, what a launch may ask for, and how it is laid onto a graph.
@NullMarked
package dev.npuflow.npu.machine;

import org.jspecify.annotations.NullMarked;
