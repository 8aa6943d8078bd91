package dev.npuflow.workflow.gate;

import dev.npuflow.fault.ExitCode;

/// What came of a verification. Only [#PASS] lets a plan be kept.
public enum Verdict {
    /// Every prompt satisfied all rules, on the full number of steps.
    PASS(ExitCode.PASSED),
    /// A rule failed, or the NPU's logits meant nothing.
    GATE_FAIL(ExitCode.GATE_FAILED),
    /// No judgement: the reference is unusable or the run broke.
    INFRA_ERROR(ExitCode.ENVIRONMENT),
    /// Nothing was compared. Upstream passes this.
    VACUOUS(ExitCode.GATE_FAILED),
    /// Somebody else held the NPU for too long.
    LOCK_TIMEOUT(ExitCode.ENVIRONMENT);

    private final ExitCode exitCode;

    Verdict(ExitCode exitCode) {
        this.exitCode = exitCode;
    }

    public ExitCode exitCode() {
        return exitCode;
    }
}
