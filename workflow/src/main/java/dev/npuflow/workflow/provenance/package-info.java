/// What code ran: the identity of npuflow and of skills, by content.
@NullMarked
package dev.npuflow.workflow.provenance;

import org.jspecify.annotations.NullMarked;
