/// A skill tried on a plan: asked whether it applies, applied, compiled, and asked for another plan until one compiles.
@NullMarked
package dev.npuflow.workflow.trial;

import org.jspecify.annotations.NullMarked;
