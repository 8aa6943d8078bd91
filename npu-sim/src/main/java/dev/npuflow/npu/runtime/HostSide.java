package dev.npuflow.npu.runtime;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The host's memory of a buffer object: zeros, then what was written or synced back.
final class HostSide {

    private final Arena arena;
    private final long bytes;
    private final Blocks touched;
    private @Nullable MemorySegment own;
    private @Nullable MemorySegment immutable;

    HostSide(Arena arena, long bytes) {
        this.arena = arena;
        this.bytes = bytes;
        touched = new Blocks(bytes);
    }

    MemorySegment memory() {
        return immutable == null ? own() : immutable;
    }

    @Nullable MemorySegment immutable() {
        return immutable;
    }

    /// Blocks that may hold other than zeros. Of no meaning while [#immutable()] is there.
    Blocks touched() {
        return touched;
    }

    void alias(MemorySegment mapped) {
        immutable = mapped.asReadOnly();
    }

    void write(MemorySegment source, long size) {
        MemorySegment target = owned(size);
        MemorySegment.copy(source, 0, target, 0, size);
        touched.mark(0, size);
    }

    /// Own memory, of which the first `overwritten` bytes are about to be replaced.
    private MemorySegment owned(long overwritten) {
        MemorySegment target = own();
        if (immutable != null) {
            MemorySegment.copy(immutable, overwritten, target, overwritten, bytes - overwritten);
            touched.mark(overwritten, bytes);
            immutable = null;
        }
        return target;
    }

    private MemorySegment own() {
        if (own == null) {
            own = ZeroedMemory.allocate(arena, bytes);
        }
        return own;
    }
}
