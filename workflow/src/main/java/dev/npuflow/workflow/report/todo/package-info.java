/// A model's `TODO.md`: three blocks that npuflow keeps up to date among the lines of people (docs/upstream.md, "Phases").
@NullMarked
package dev.npuflow.workflow.report.todo;

import org.jspecify.annotations.NullMarked;
