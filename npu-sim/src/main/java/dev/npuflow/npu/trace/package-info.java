/// What happened when: recorded events.
@NullMarked
package dev.npuflow.npu.trace;

import org.jspecify.annotations.NullMarked;
