/// Files: read within a bound, told apart by what they hold, and whole at any instant when written.
@NullMarked
package dev.npuflow.workflow.file;

import org.jspecify.annotations.NullMarked;
