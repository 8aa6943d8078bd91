package dev.npuflow.fault;

/// The exit codes that scripts rely on.
public enum ExitCode {
    PASSED(0), GATE_FAILED(1), BAD_INPUT(2), ENVIRONMENT(3), INTERRUPTED(130), TERMINATED(143);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }
}
