package dev.npuflow.npu.runtime;

import java.util.BitSet;

/// A buffer in blocks of 64 KiB, of which some are marked.
final class Blocks {

    static final long BLOCK_BYTES = 64 << 10;

    private final long bytes;
    private final BitSet marked = new BitSet();

    Blocks(long bytes) {
        this.bytes = bytes;
    }

    int count() {
        return Math.toIntExact(Math.ceilDiv(bytes, BLOCK_BYTES));
    }

    boolean isMarked(int block) {
        return marked.get(block);
    }

    void mark(int block) {
        marked.set(block);
    }

    /// Marks the blocks that bytes `from` to `to` lie in.
    void mark(long from, long to) {
        marked.set(first(from), last(to));
    }


    int first(long from) {
        return (int) (from / BLOCK_BYTES);
    }

    /// One past the block of byte `to` − 1.
    int last(long to) {
        return (int) Math.ceilDiv(to, BLOCK_BYTES);
    }

    long start(int block) {
        return block * BLOCK_BYTES;
    }

    long size(int block) {
        return Math.min(BLOCK_BYTES, bytes - start(block));
    }
}
