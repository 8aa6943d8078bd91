/// One kernel alone: whether it places, and which of its legal tiles is fastest.
@NullMarked
package dev.npuflow.workflow.tuning;

import org.jspecify.annotations.NullMarked;
