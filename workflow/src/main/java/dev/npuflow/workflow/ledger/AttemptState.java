package dev.npuflow.workflow.ledger;

/// How far an attempt came. Each state is entered once its work is done and on disk.
public enum AttemptState {
    ASSESSED, APPLIED, COMPILED, SELF_CHECKED, VERIFIED, MEASURED, KEPT, REVERTED, SKIPPED;

    /// Whether nothing is left to do. An attempt that is not settled is gone on with, or undone, before anything else.
    public boolean settled() {
        return switch (this) {
            case KEPT, REVERTED, SKIPPED -> true;
            case ASSESSED, APPLIED, COMPILED, SELF_CHECKED, VERIFIED, MEASURED -> false;
        };
    }
}
