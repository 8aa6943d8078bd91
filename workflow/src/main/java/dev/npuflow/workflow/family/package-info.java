/// The families of decoder-only models, a file each: what a configuration of its class means, and what its layers are made of.
@NullMarked
package dev.npuflow.workflow.family;

import org.jspecify.annotations.NullMarked;
