package dev.npuflow.workflow.fault;

import dev.npuflow.npu.Fault;

/// A fault with an id, told to the user in one line: `NPF-123 what (value): expected X; try Y`.
public final class NpuflowException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Fault fault;
    private final ExitCode exitCode;

    public NpuflowException(Fault fault, ExitCode exitCode) {
        super(fault.line());
        this.fault = fault;
        this.exitCode = exitCode;
    }

    /// Bad input without a value, such as a missing part: exit code 2.
    public static NpuflowException badInput(String id, String what, String expected, String remedy) {
        return new NpuflowException(Fault.of(id, what, expected, remedy), ExitCode.BAD_INPUT);
    }

    /// Bad input: exit code 2.
    ///
    /// @param value of `what`, as it was given
    public static NpuflowException badInput(String id, String what, Object value, String expected, String remedy) {
        return new NpuflowException(Fault.of(id, what, value, expected, remedy), ExitCode.BAD_INPUT);
    }

    /// The environment or the target failed: exit code 3.
    public static NpuflowException environment(String id, String what, String expected, String remedy) {
        return new NpuflowException(Fault.of(id, what, expected, remedy), ExitCode.ENVIRONMENT);
    }

    /// The environment or the target failed: exit code 3.
    ///
    /// @param value of `what`, as it was found
    public static NpuflowException environment(String id, String what, Object value, String expected, String remedy) {
        return new NpuflowException(Fault.of(id, what, value, expected, remedy), ExitCode.ENVIRONMENT);
    }

    public Fault fault() {
        return fault;
    }

    public String id() {
        return fault.id();
    }

    public ExitCode exitCode() {
        return exitCode;
    }
}
