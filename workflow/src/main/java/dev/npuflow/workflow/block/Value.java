package dev.npuflow.workflow.block;

/// What operators hand to each other: bf16, one row for each position.
///
/// @param name  as in plans, in the lens and in the reference's observer
/// @param width elements of a row
public record Value(String name, Extent width) {}
