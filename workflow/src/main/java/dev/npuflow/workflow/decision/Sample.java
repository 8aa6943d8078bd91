package dev.npuflow.workflow.decision;

/// One measurement of a plan.
///
/// @param run          how many measurements the target had made before, of whatever plan: its place in time
/// @param milliseconds what it took
public record Sample(long run, double milliseconds) {}
