package dev.npuflow.workflow.ledger;

/// One profile of one plan.
///
/// @param plan    hash
/// @param profile as JSON
public record Measurement(String plan, Conditions conditions, String profile) {}
