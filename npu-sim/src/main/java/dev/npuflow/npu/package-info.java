/// The NPU simulator. Knows no LLM, no plan, no skill and no phase.
@NullMarked
package dev.npuflow.npu;

import org.jspecify.annotations.NullMarked;
