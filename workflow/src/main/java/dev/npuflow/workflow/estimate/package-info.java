/// What a model would cost on a device, from its configuration alone.
@NullMarked
package dev.npuflow.workflow.estimate;

import org.jspecify.annotations.NullMarked;
