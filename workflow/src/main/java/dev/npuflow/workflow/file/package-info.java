/// Files that are whole at any instant.
@NullMarked
package dev.npuflow.workflow.file;

import org.jspecify.annotations.NullMarked;
