/// A new model directory, made from a Hugging Face one after the checks of Phases 0 and 1.
@NullMarked
package dev.npuflow.workflow.scaffold;

import org.jspecify.annotations.NullMarked;
