package dev.npuflow.npu.runtime;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/// What device memory holds that nobody wrote: finite bf16 of magnitude 0.5 to 2, the same in every run, so that a read before
/// the first write changes results and can be reproduced.
final class Garbage {

    private static final ValueLayout.OfShort ELEMENT = ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int SIGN = 0x8000;
    private static final int HALF = 0x3f00;

    private Garbage() {}

    /// @param seed  tells buffers apart
    /// @param start position of `memory` in its buffer, in bytes
    static void fill(MemorySegment memory, int seed, long start) {
        for (long at = 0; at + 1 < memory.byteSize(); at += 2) {
            memory.set(ELEMENT, at, element(seed, (start + at) / 2));
        }
        if (memory.byteSize() % 2 != 0) {
            memory.set(ValueLayout.JAVA_BYTE, memory.byteSize() - 1, (byte) element(seed, start + memory.byteSize()));
        }
    }

    /// The finalizer of MurmurHash3, over a counter.
    private static short element(int seed, long index) {
        int hash = (int) index * 0x9e3779b9 + seed;
        hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
        hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
        hash ^= hash >>> 16;
        return (short) ((hash & SIGN) | HALF | (hash & 0xff));
    }
}
