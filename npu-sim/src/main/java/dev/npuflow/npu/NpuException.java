package dev.npuflow.npu;

/// A fault with an id, told in one line: what, the value, what was expected, what to try.
public final class NpuException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final String id;

    /// @param id `NPF-` and three digits; 300–399 device files, 400–499 the runtime
    public NpuException(String id, String what, String expected, String remedy) {
        super("%s %s: expected %s; try %s".formatted(id, what, expected, remedy));
        this.id = id;
    }

    public String id() {
        return id;
    }
}
