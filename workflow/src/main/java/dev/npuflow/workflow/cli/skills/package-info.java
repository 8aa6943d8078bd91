/// `npuflow skills …`.
@NullMarked
package dev.npuflow.workflow.cli.skills;

import org.jspecify.annotations.NullMarked;
