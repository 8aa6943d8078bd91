package dev.npuflow.workflow.phase;

/// What became of a skill in a phase.
public enum Outcome {
    /// Kept: measured faster and verified correct.
    APPLIED,
    /// Not tried on the target: it does not apply, refused, crashed or does not compile.
    SKIPPED,
    /// Tried, and taken back.
    REVERTED
}
