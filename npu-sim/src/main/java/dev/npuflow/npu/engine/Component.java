package dev.npuflow.npu.engine;

import java.util.Set;

/// What a node of the graph does: it starts, hears of messages and of moments that it asked for, keeps state between them, decides by what it hears, and sends
/// messages on. It acts through its [Node] only, and only while the engine calls it. One object serves one run.
public interface Component {

    /// Called once, at time zero, in the order of the components' names.
    default void start(Node node) {}

    /// A message has arrived whole.
    ///
    /// @param port the end of the link that it came by; where the link has credits, the message holds one until [Node#returnCredit(Port)]
    default void receive(Node node, Port port, Message message) {
        throw new IllegalStateException(node.name() + " takes no message, and " + message.label() + " came by port " + port.name());
    }

    /// What was asked for has come: the end of a delay, tokens of a semaphore, or the last byte of what was carried.
    ///
    /// @param token as given when it was asked for
    default void wake(Node node, long token) {
        throw new IllegalStateException(node.name() + " asked for a moment and does not hear of it");
    }

    /// Whether all is done that this component was made for. The run stands still when no event is left and some component is not done.
    default boolean isDone() {
        return true;
    }

    /// Numbers of the semaphores that this component may release: who waits for one of them waits for this component.
    default Set<Integer> releases() {
        return Set.of();
    }
}
