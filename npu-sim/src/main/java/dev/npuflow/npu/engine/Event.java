package dev.npuflow.npu.engine;

/// What can happen at a moment.
sealed interface Event permits Event.Start, Event.Wake, Event.Departure, Event.Arrival, Event.Credit, Route {

    void happen();

    record Start(Node node) implements Event {
        @Override public void happen() {
            node.component().start(node);
        }
    }

    record Wake(Node node, long token) implements Event {
        @Override public void happen() {
            node.component().wake(node, token);
        }
    }

    /// A message has passed its sender and comes to the link.
    record Departure(Wire wire, Message message) implements Event {
        @Override public void happen() {
            wire.enter(message);
        }
    }

    record Arrival(Wire wire, Message message, long start, long end) implements Event {
        @Override public void happen() {
            wire.deliver(message, start, end);
        }
    }

    record Credit(Wire wire) implements Event {
        @Override public void happen() {
            wire.creditReturned();
        }
    }
}
