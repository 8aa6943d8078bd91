package dev.npuflow.npu.kernel;

import java.lang.foreign.MemorySegment;

/// The device memory behind a launch's ports during one run.
public interface Operands {

    /// The memory of a port: exactly the bound elements, bf16, little-endian. Memory of a port that is only read may be read-only.
    MemorySegment port(String name);

    /// Token positions that hold real data in this run; a launch whose shape has `positions` need not compute the padded rest.
    int activePositions();

    /// The threads to compute on.
    Workers workers();
}
