/// What each skill is worth alone and beside the others.
@NullMarked
package dev.npuflow.workflow.ablation;

import org.jspecify.annotations.NullMarked;
