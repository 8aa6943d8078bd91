/// Every attempt, on disk.
@NullMarked
package dev.npuflow.workflow.ledger;

import org.jspecify.annotations.NullMarked;
