/// The manual pages, made from the commands as picocli knows them.
@NullMarked
package dev.npuflow.workflow.cli.manual;

import org.jspecify.annotations.NullMarked;
