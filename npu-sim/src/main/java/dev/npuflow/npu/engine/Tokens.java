package dev.npuflow.npu.engine;

import org.jspecify.annotations.Nullable;

/// A semaphore in a run. Waiters are served first come, first served: one that wants few tokens does not pass one that wants many.
final class Tokens {

    private final Graph.Semaphore semaphore;
    private @Nullable Waiter first;
    private @Nullable Waiter last;
    private int held;

    Tokens(Graph.Semaphore semaphore) {
        this.semaphore = semaphore;
        held = semaphore.initial();
    }

    String name() {
        return semaphore.name();
    }

    boolean hasWaiters() {
        return first != null;
    }

    boolean isAwaitedBy(Node node) {
        for (Waiter waiter = first; waiter != null; waiter = waiter.next()) {
            if (waiter.node() == node) {
                return true;
            }
        }
        return false;
    }

    /// False where the node waits, and is woken with `token` once the tokens are its own.
    boolean acquire(Node node, int wanted, long token) {
        if (first == null && held >= wanted) {
            held -= wanted;
            return true;
        }
        Waiter waiter = node.freeWaiter();
        waiter.queue(wanted, token);
        if (last == null) {
            first = waiter;
        } else {
            last.follow(waiter);
        }
        last = waiter;
        return false;
    }

    void release(int count) {
        held += count;
        if (held > semaphore.capacity()) {
            throw new IllegalStateException(semaphore.name() + " holds " + held + " tokens of " + semaphore.capacity());
        }
        while (first != null && first.wanted() <= held) {
            Waiter served = first;
            held -= served.wanted();
            first = served.next();
            if (first == null) {
                last = null;
            }
            served.serve();
        }
    }
}
