/// The loop: apply, compile, self-check, verify, measure, keep or revert, record.
@NullMarked
package dev.npuflow.workflow.phase;

import org.jspecify.annotations.NullMarked;
