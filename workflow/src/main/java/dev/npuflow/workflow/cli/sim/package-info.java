/// `npuflow sim`: the simulator against measurements, fits of its numbers, single transfers, launches as text.
@NullMarked
package dev.npuflow.workflow.cli.sim;

import org.jspecify.annotations.NullMarked;
