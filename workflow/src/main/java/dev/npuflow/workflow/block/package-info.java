/// What a decoder layer is made of, declared once for each family: operators, the values they hand on, their weights, norms and biases, and all shapes. It
/// computes nothing. Plans, padding, the lens, the check of a checkpoint, synthetic weights and the reference read what exists from here.
@NullMarked
package dev.npuflow.workflow.block;

import org.jspecify.annotations.NullMarked;
