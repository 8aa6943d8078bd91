package dev.npuflow.npu.kernel;

import java.lang.foreign.MemorySegment;

/// The device memory behind a launch's ports during one run.
public interface Operands {

    /// The memory of a port: exactly the bound elements.
    MemorySegment port(String name);

    /// Token positions that hold real data in this run; a launch whose shape has `positions` need not compute the padded rest.
    int activePositions();
}
