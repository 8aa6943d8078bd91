package dev.npuflow.workflow.ledger;

/// Names a run in this ledger.
public record RunId(long value) {}
