package dev.npuflow.npu.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// The host threads that stand in for the cores. The caller is one of them; the others spin for a moment after a task, since
/// the next launch usually follows within microseconds, then park.
///
/// A task is cut into blocks. Each thread first takes the blocks of its own contiguous share, because one sequential stream
/// a thread reads fastest, then those that others have not reached. Which thread computes a block never changes its result.
///
/// One task at a time, from one thread.
public final class Workers implements AutoCloseable {

    /// A part of a task; must not depend on other blocks.
    @FunctionalInterface
    public interface Block {
        void run(int block);
    }

    private static final int SPINS = 4000;

    private final int threads;
    private final List<Thread> helpers = new ArrayList<>();
    private volatile @Nullable Task current;
    private volatile boolean closed;

    /// @param threads the caller included, ≥ 1
    public Workers(int threads) {
        if (threads < 1) {
            throw new IllegalArgumentException("threads %d".formatted(threads));
        }
        this.threads = threads;
        for (int helper = 1; helper < threads; helper++) {
            int share = helper;
            helpers.add(Thread.ofPlatform().daemon().name("npu-core-", helper).start(() -> help(share)));
        }
    }

    public int threads() {
        return threads;
    }

    /// Runs blocks 0 to `blocks` − 1 and returns when all are done. The first failure of a block is thrown here.
    public void run(int blocks, Block block) {
        if (closed) {
            throw new IllegalStateException("workers are closed");
        }
        if (threads == 1 || blocks <= 1) {
            for (int i = 0; i < blocks; i++) {
                block.run(i);
            }
            return;
        }
        Task task = new Task(block, blocks, threads);
        current = task;
        helpers.forEach(LockSupport::unpark);
        task.work(0);
        task.await();
        current = null;
        task.rethrow();
    }

    /// Ends the threads.
    @Override
    public void close() {
        closed = true;
        helpers.forEach(LockSupport::unpark);
    }

    private void help(int share) {
        Task done = null;
        int idle = 0;
        while (!closed) {
            Task task = current;
            if (task != null && task != done) {
                task.work(share);
                done = task;
                idle = 0;
            } else if (idle++ < SPINS) {
                Thread.onSpinWait();
            } else {
                done = null;
                LockSupport.park(this);
            }
        }
    }

    private static final class Task {

        private final Block block;
        private final AtomicInteger[] next;
        private final int[] end;
        private final AtomicInteger open;
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        Task(Block block, int blocks, int shares) {
            this.block = block;
            next = new AtomicInteger[shares];
            end = new int[shares];
            open = new AtomicInteger(blocks);
            for (int share = 0; share < shares; share++) {
                next[share] = new AtomicInteger((int) ((long) blocks * share / shares));
                end[share] = (int) ((long) blocks * (share + 1) / shares);
            }
        }

        void work(int own) {
            for (int i = 0; i < next.length; i++) {
                int share = (own + i) % next.length;
                for (int at = next[share].getAndIncrement(); at < end[share]; at = next[share].getAndIncrement()) {
                    try {
                        block.run(at);
                    } catch (Throwable thrown) {
                        failure.compareAndSet(null, thrown);
                    } finally {
                        open.decrementAndGet();
                    }
                }
            }
        }

        void await() {
            for (int spins = 0; open.get() > 0; spins++) {
                if (spins < SPINS) {
                    Thread.onSpinWait();
                } else {
                    Thread.yield();
                }
            }
        }

        void rethrow() {
            Throwable thrown = failure.get();
            if (thrown instanceof Error error) {
                throw error;
            }
            if (thrown instanceof RuntimeException exception) {
                throw exception;
            }
        }
    }
}
