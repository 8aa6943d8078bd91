package dev.npuflow.fault;

/// A fault that ends what was asked for. Its message is the fault's line.
public final class NpuflowException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Fault fault;

    public NpuflowException(Fault fault) {
        super(fault.line());
        this.fault = fault;
    }

    /// Bad input without a value, such as a missing part: exit code 2.
    ///
    /// @param id `NPF-` and three digits, as in `docs/errors.md`
    public static NpuflowException badInput(String id, String what, String expected, String remedy) {
        return new NpuflowException(Fault.badInput(id, what, expected, remedy));
    }

    /// Bad input: exit code 2.
    ///
    /// @param value of `what`, as it was given
    public static NpuflowException badInput(String id, String what, Object value, String expected, String remedy) {
        return new NpuflowException(Fault.badInput(id, what, value, expected, remedy));
    }

    /// The environment or the target failed: exit code 3.
    public static NpuflowException environment(String id, String what, String expected, String remedy) {
        return new NpuflowException(Fault.environment(id, what, expected, remedy));
    }

    /// The environment or the target failed: exit code 3.
    ///
    /// @param value of `what`, as it was found
    public static NpuflowException environment(String id, String what, Object value, String expected, String remedy) {
        return new NpuflowException(Fault.environment(id, what, value, expected, remedy));
    }

    public Fault fault() {
        return fault;
    }

    public String id() {
        return fault.id();
    }

    public ExitCode exitCode() {
        return fault.exitCode();
    }
}
