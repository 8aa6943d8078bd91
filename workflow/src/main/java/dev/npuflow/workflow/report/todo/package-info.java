/// A model's `TODO.md`: three blocks that npuflow keeps up to date among the lines of people (reference document §A.0).
@NullMarked
package dev.npuflow.workflow.report.todo;

import org.jspecify.annotations.NullMarked;
