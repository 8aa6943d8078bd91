package dev.npuflow.npu.kernel;

/// What a kernel does with a port's memory.
public enum PortDirection {
    READ, WRITE, READ_WRITE;

    public boolean reads() {
        return this != WRITE;
    }

    public boolean writes() {
        return this != READ;
    }
}
