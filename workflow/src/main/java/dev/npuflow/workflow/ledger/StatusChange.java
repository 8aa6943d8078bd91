package dev.npuflow.workflow.ledger;

/// What became of a run, and when.
///
/// @param at UTC, `YYYY-MM-DD HH:MM:SS`
public record StatusChange(RunStatus status, String at) {}
