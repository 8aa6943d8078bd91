/// Whether a changed plan is faster: the one rule for every target, whether it repeats exactly or not (ADR 20). Knows times and nothing of plans.
@NullMarked
package dev.npuflow.workflow.decision;

import org.jspecify.annotations.NullMarked;
