/// What people read: profile blocks, verify reports, phase documents. Rendered, never written by hand.
@NullMarked
package dev.npuflow.workflow.report;

import org.jspecify.annotations.NullMarked;
