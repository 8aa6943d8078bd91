package dev.npuflow.npu.runtime;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// The device's memory of a buffer object: garbage, then what was synced to it or written by a kernel.
///
/// Of its blocks, `valid` ones hold what the device would see; the others would be seen as garbage and are filled with it just
/// before somebody looks. A valid block that is not `touched` is all zeros and was never written, so it takes no room.
/// Immutable memory is shared with the host side until a kernel writes, which it does to a copy.
final class DeviceSide {

    private final Arena arena;
    private final long bytes;
    private final int seed;
    private final Blocks valid;
    private final Blocks touched;
    private @Nullable MemorySegment own;
    private @Nullable MemorySegment immutable;

    DeviceSide(Arena arena, long bytes, int seed) {
        this.arena = arena;
        this.bytes = bytes;
        this.seed = seed;
        valid = new Blocks(bytes);
        touched = new Blocks(bytes);
    }

    /// The whole memory, fit to be read from byte `from` to byte `to`.
    MemorySegment readable(long from, long to) {
        if (immutable != null) {
            return immutable;
        }
        prime(from, to);
        return own();
    }

    /// The whole memory, fit to be read and written from byte `from` to byte `to`.
    MemorySegment writable(long from, long to) {
        if (immutable != null) {
            MemorySegment.copy(immutable, 0, own(), 0, bytes);
            valid.mark(0, bytes);
            touched.mark(0, bytes);
            immutable = null;
        }
        prime(from, to);
        touched.mark(from, to);
        return own();
    }

    void receive(HostSide host) {
        MemorySegment shared = host.immutable();
        if (shared != null) {
            immutable = shared;
            return;
        }
        immutable = null;
        for (int block = 0; block < valid.count(); block++) {
            if (host.touched().isMarked(block) || touched.isMarked(block)) {
                MemorySegment.copy(host.memory(), valid.start(block), own(), valid.start(block), valid.size(block));
                touched.mark(block);
            }
            valid.mark(block);
        }
    }

    void send(HostSide host, long size) {
        if (immutable != null && size == bytes) {
            host.alias(immutable);
        } else {
            host.write(readable(0, size), size);
        }
    }

    private void prime(long from, long to) {
        for (int block = valid.first(from); block < valid.last(to); block++) {
            if (!valid.isMarked(block)) {
                Garbage.fill(own().asSlice(valid.start(block), valid.size(block)), seed, valid.start(block));
                valid.mark(block);
                touched.mark(block);
            }
        }
    }

    private MemorySegment own() {
        if (own == null) {
            own = ZeroedMemory.allocate(arena, bytes);
        }
        return own;
    }
}
