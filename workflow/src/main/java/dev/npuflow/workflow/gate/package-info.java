/// The gate decides: two rules over the tokens of NPU and reference.
@NullMarked
package dev.npuflow.workflow.gate;

import org.jspecify.annotations.NullMarked;
