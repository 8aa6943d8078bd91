package dev.npuflow.npu.engine;

import org.jspecify.annotations.Nullable;

/// A node in a semaphore's queue. A node has one that it uses again and again, since it mostly waits for one thing at a time.
final class Waiter {

    private final Node node;
    private int wanted;
    private long token;
    private boolean queued;
    private @Nullable Waiter next;

    Waiter(Node node) {
        this.node = node;
    }

    Node node() {
        return node;
    }

    int wanted() {
        return wanted;
    }

    boolean isQueued() {
        return queued;
    }

    @Nullable Waiter next() {
        return next;
    }

    void queue(int tokens, long wakeToken) {
        wanted = tokens;
        token = wakeToken;
        queued = true;
        next = null;
    }

    void follow(Waiter later) {
        next = later;
    }

    void serve() {
        queued = false;
        node.wakeAfter(0, token);
    }
}
