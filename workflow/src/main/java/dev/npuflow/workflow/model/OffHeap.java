package dev.npuflow.workflow.model;

import dev.npuflow.fault.NpuflowException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/// Memory for weights that no file can be mapped for.
final class OffHeap {

    private static final long ALIGNMENT = 64;

    private OffHeap() {}

    /// @throws NpuflowException NPF-141 if the machine or the JVM's limit has no room
    static MemorySegment allocate(Arena arena, long bytes) {
        try {
            return arena.allocate(Math.max(bytes, 1), ALIGNMENT).asSlice(0, bytes);
        } catch (OutOfMemoryError full) {
            throw NpuflowException.environment("NPF-141", "memory for weights", "no room for %d bytes".formatted(bytes), "that much memory outside the heap",
                    "a BF16 checkpoint, a larger weight cache, or -XX:MaxDirectMemorySize");
        }
    }
}
