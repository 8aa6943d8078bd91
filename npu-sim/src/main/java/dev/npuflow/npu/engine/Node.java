package dev.npuflow.npu.engine;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A component's place in the graph, and all that it may do to others. Times are picoseconds since the run began.
///
/// Events of one moment happen in the order of the nodes' names, those of one node in the order in which they were asked for.
public final class Node {

    private final String name;
    private final int rank;
    private final Component component;
    private final Simulation simulation;
    private final Agenda agenda;
    private final Map<String, Port> ports = new TreeMap<>();
    private final int plainWake;
    private final Waiter waiter = new Waiter(this);
    private long sequence;
    private long busy;

    Node(String name, int rank, Component component, Simulation simulation) {
        this.name = name;
        this.rank = rank;
        this.component = component;
        this.simulation = simulation;
        agenda = simulation.agenda();
        plainWake = enter(new Event.Wake(this, 0));
    }

    public String name() {
        return name;
    }

    public long now() {
        return agenda.now();
    }

    /// The id of what the whole run belongs to, such as `call 3/launch 1`.
    public String correlation() {
        return simulation.correlation();
    }

    /// @throws IllegalArgumentException where no link is connected to a port of that name
    public Port port(String portName) {
        Port port = ports.get(portName);
        if (port == null) {
            throw new IllegalArgumentException("%s has no port %s: connected are %s".formatted(name, portName, ports.keySet()));
        }
        return port;
    }

    /// Posts a message: it comes to the link now, and its sender does not wait for it.
    public void send(Port out, Message message) {
        out.outgoing().enter(message);
    }

    /// Posts a message that comes to the link in `delay` picoseconds. Messages pass the node as in a pipeline: one does not wait for the delay of another.
    public void send(Port out, Message message, long delay) {
        schedule(now() + delay, new Event.Departure(out.outgoing(), message));
    }

    /// Gives the sender room for one more message on the link; without meaning on a link without credits.
    public void returnCredit(Port in) {
        in.incoming().returnCredit();
    }

    public void wakeAfter(long picoseconds, long token) {
        if (token == 0) {
            schedule(now() + picoseconds, plainWake);
        } else {
            schedule(now() + picoseconds, new Event.Wake(this, token));
        }
    }

    /// Takes tokens of a semaphore: now, with true, or later, after a wake with `token`.
    public boolean acquire(int semaphore, int tokens, long token) {
        return simulation.tokens(semaphore).acquire(this, tokens, token);
    }

    public void release(int semaphore, int tokens) {
        simulation.tokens(semaphore).release(tokens);
    }

    /// A route over links of the graph. When a packet has passed it the component is woken with `token`.
    public Route route(List<Integer> links, long token) {
        return new Route(this, simulation.wires(links), token);
    }

    /// Tells of a span in which this node was busy, which ends now.
    ///
    /// @param bytes   moved in the span; 0 where none were
    /// @param forWhat correlation id of what it was busy with
    public void span(String label, long start, long bytes, String forWhat) {
        busy += now() - start;
        simulation.recorder().span(name, label, start, now(), bytes, forWhat);
    }

    Component component() {
        return component;
    }

    void connect(String portName, Port port) {
        if (ports.putIfAbsent(portName, port) != null) {
            throw new IllegalArgumentException(name + " has two ports " + portName);
        }
    }

    Waiter freeWaiter() {
        return waiter.isQueued() ? new Waiter(this) : waiter;
    }

    int enter(Event event) {
        return agenda.enter(event);
    }

    void schedule(long at, int standingEvent) {
        agenda.schedule(at, rank, sequence++, standingEvent);
    }

    void schedule(long at, Event event) {
        agenda.schedule(at, rank, sequence++, event);
    }

    Outcome.NodeUse use() {
        return new Outcome.NodeUse(name, busy);
    }
}
