/// The commands.
@NullMarked
package dev.npuflow.workflow.cli;

import org.jspecify.annotations.NullMarked;
