/// A deterministic discrete-event core on integer time. Knows nothing of AIE.
@NullMarked
package dev.npuflow.npu.engine;

import org.jspecify.annotations.NullMarked;
