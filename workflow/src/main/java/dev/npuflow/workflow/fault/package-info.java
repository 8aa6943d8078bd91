/// Faults that a user is told of in one line.
@NullMarked
package dev.npuflow.workflow.fault;

import org.jspecify.annotations.NullMarked;
