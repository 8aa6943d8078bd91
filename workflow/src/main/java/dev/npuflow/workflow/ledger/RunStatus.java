package dev.npuflow.workflow.ledger;

/// What became of a run.
public enum RunStatus {
    /// Not finished; after a crash it says so until the next start looks.
    RUNNING,
    /// The phase's gate passed.
    PASS,
    /// The phase's gate did not pass.
    FAIL,
    /// The environment, the target or the input stopped it.
    ERROR,
    /// A signal ended it, or its process died.
    INTERRUPTED;

    /// Whether `--resume` may go on with it.
    public boolean open() {
        return this == RUNNING || this == INTERRUPTED;
    }

    /// Whether it came to a verdict: only such a run has measured all that its document tells.
    public boolean judged() {
        return this == PASS || this == FAIL;
    }
}
