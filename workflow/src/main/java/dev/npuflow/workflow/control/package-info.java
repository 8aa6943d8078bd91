/// The gate's own test: deployments that are known to be wrong, and some that are known to be right.
@NullMarked
package dev.npuflow.workflow.control;

import org.jspecify.annotations.NullMarked;
