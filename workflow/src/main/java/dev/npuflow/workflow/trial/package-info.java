/// A skill tried on a plan: asked, its plan compiled, and asked for another plan until one compiles.
@NullMarked
package dev.npuflow.workflow.trial;

import org.jspecify.annotations.NullMarked;
