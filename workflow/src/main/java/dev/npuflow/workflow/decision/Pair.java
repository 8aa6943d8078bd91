package dev.npuflow.workflow.decision;

/// One measurement of each of two plans, one right after the other.
///
/// @param before milliseconds of the plan before
/// @param after  milliseconds of the changed plan
public record Pair(double before, double after) {}
