/// Greedy generation over any engine that gives logits.
@NullMarked
package dev.npuflow.workflow.generation;

import org.jspecify.annotations.NullMarked;
