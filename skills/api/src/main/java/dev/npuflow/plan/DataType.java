package dev.npuflow.plan;

/// Element type of an argument.
public enum DataType {
    BF16(2), F32(4);

    private final int bytes;

    DataType(int bytes) {
        this.bytes = bytes;
    }

    /// Size of one element in bytes.
    public int bytes() {
        return bytes;
    }
}
