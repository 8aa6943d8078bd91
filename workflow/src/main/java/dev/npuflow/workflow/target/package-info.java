/// What a deployment is measured on.
@NullMarked
package dev.npuflow.workflow.target;

import org.jspecify.annotations.NullMarked;
