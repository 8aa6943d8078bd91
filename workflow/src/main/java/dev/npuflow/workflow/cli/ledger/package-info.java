/// `npuflow ledger`, `npuflow why` and `npuflow history`: what the records say.
@NullMarked
package dev.npuflow.workflow.cli.ledger;

import org.jspecify.annotations.NullMarked;
