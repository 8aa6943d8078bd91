package dev.npuflow.workflow.reference;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A fixed set of daemon threads that share the chunks of one job with the caller. Which thread takes which chunk is left to chance; chunks write to
/// places of their own, so results do not depend on it.
///
/// One GEMV takes some 100 µs and the next follows at once, so an idle worker spins for a moment before it parks. Not longer: the JIT needs a core too.
/// One caller at a time.
final class WorkerPool implements AutoCloseable {

    private static final long SPIN_NANOS = 50_000;

    private final List<Worker> workers;
    private volatile @Nullable Job current;
    private volatile boolean closed;

    /// @param threads how many work on a job, the caller among them
    WorkerPool(int threads) {
        workers = IntStream.range(1, threads).mapToObj(Worker::new).toList();
        workers.forEach(Thread::start);
    }

    int threads() {
        return workers.size() + 1;
    }

    /// Runs `task` for 0 … chunks - 1 and returns when all are done. An exception of a chunk is thrown here.
    void forEach(int chunks, IntConsumer task) {
        if (chunks == 1 || workers.isEmpty()) {
            for (int chunk = 0; chunk < chunks; chunk++) {
                task.accept(chunk);
            }
            return;
        }
        Job job = new Job(chunks, task, Thread.currentThread());
        current = job;
        workers.forEach(Worker::wake);
        job.work();
        job.await();
    }

    @Override public void close() {
        closed = true;
        workers.forEach(LockSupport::unpark);
    }

    private static final class Job {
        private final int chunks;
        private final IntConsumer task;
        private final Thread caller;
        private final AtomicInteger next = new AtomicInteger();
        private final AtomicInteger done = new AtomicInteger();
        private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

        Job(int chunks, IntConsumer task, Thread caller) {
            this.chunks = chunks;
            this.task = task;
            this.caller = caller;
        }

        void work() {
            for (int chunk = next.getAndIncrement(); chunk < chunks; chunk = next.getAndIncrement()) {
                try {
                    task.accept(chunk);
                } catch (RuntimeException | Error e) {
                    failure.compareAndSet(null, e);
                }
                if (done.incrementAndGet() == chunks) {
                    LockSupport.unpark(caller);
                }
            }
        }

        void await() {
            long start = System.nanoTime();
            while (done.get() < chunks) {
                if (System.nanoTime() - start < SPIN_NANOS) {
                    Thread.onSpinWait();
                } else {
                    LockSupport.park(this);
                }
            }
            switch (failure.get()) {
                case null -> { }
                case RuntimeException e -> throw e;
                case Error e -> throw e;
                case Throwable e -> throw new IllegalStateException(e);
            }
        }
    }

    private final class Worker extends Thread {
        private volatile boolean parked;

        Worker(int number) {
            super("reference-" + number);
            setDaemon(true);
        }

        /// The flag is set before the job is looked at again, and the job before the flag: one side sees the other.
        void wake() {
            if (parked) {
                LockSupport.unpark(this);
            }
        }

        @Override public void run() {
            Job seen = null;
            long idleSince = System.nanoTime();
            while (!closed) {
                Job job = current;
                if (job != null && job != seen) {
                    seen = job;
                    job.work();
                    idleSince = System.nanoTime();
                } else if (System.nanoTime() - idleSince < SPIN_NANOS) {
                    Thread.onSpinWait();
                } else {
                    parked = true;
                    if (current == seen && !closed) {
                        LockSupport.park(WorkerPool.this);
                    }
                    parked = false;
                    idleSince = System.nanoTime();
                }
            }
        }
    }
}
