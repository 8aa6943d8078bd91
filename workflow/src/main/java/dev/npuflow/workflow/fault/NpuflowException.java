package dev.npuflow.workflow.fault;

/// A fault with an id, told to the user in one line: `NPF-123 what (value): expected X; try Y`.
public final class NpuflowException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String id;
    private final ExitCode exitCode;

    public NpuflowException(String id, ExitCode exitCode, String what, String expected, String remedy) {
        super(OneLine.of("%s %s: expected %s; try %s".formatted(id, what, expected, remedy)));
        this.id = id;
        this.exitCode = exitCode;
    }

    /// Bad input: exit code 2.
    public static NpuflowException badInput(String id, String what, String expected, String remedy) {
        return new NpuflowException(id, ExitCode.BAD_INPUT, what, expected, remedy);
    }

    /// The environment or the target failed: exit code 3.
    public static NpuflowException environment(String id, String what, String expected, String remedy) {
        return new NpuflowException(id, ExitCode.ENVIRONMENT, what, expected, remedy);
    }

    public String id() {
        return id;
    }

    public ExitCode exitCode() {
        return exitCode;
    }
}
