/// What is known of each kernel at each shape: placed how, simulated and measured how fast, needed by which model.
@NullMarked
package dev.npuflow.workflow.registry;

import org.jspecify.annotations.NullMarked;
