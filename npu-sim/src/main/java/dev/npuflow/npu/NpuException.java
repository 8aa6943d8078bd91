package dev.npuflow.npu;

/// A fault with an id, told in one line: what, the value, what was expected, what to try.
public final class NpuException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Fault fault;

    /// @param id `NPF-` and three digits; 300–399 device files, 400–499 the runtime
    public NpuException(String id, String what, String expected, String remedy) {
        this(Fault.of(id, what, expected, remedy));
    }

    /// @param value of `what`, as it was given
    public NpuException(String id, String what, Object value, String expected, String remedy) {
        this(Fault.of(id, what, value, expected, remedy));
    }

    private NpuException(Fault fault) {
        super(fault.line());
        this.fault = fault;
    }

    public Fault fault() {
        return fault;
    }

    public String id() {
        return fault.id();
    }
}
