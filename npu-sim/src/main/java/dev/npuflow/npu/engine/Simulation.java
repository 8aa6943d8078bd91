package dev.npuflow.npu.engine;

import dev.npuflow.fault.NpuflowException;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// One run of a graph: takes the earliest event until none is left.
final class Simulation {

    /// A guess at the events that are pending at once; the queue grows.
    private static final int EVENTS_A_NODE = 2;

    private final Recorder recorder;
    private final String correlation;
    private final Agenda agenda;
    private final Map<String, Node> nodes = new TreeMap<>();
    private final Tokens[] tokens;
    private final Wire[] wires;

    Simulation(Graph graph, Recorder recorder, String correlation) {
        this.recorder = recorder;
        this.correlation = correlation;
        agenda = new Agenda(EVENTS_A_NODE * graph.places.size());
        tokens = graph.semaphores.stream().map(Tokens::new).toArray(Tokens[]::new);
        wires = graph.links.stream().map(link -> new Wire(link, recorder)).toArray(Wire[]::new);
        List<Graph.Place> byName = graph.places.stream().sorted(Comparator.comparing(Graph.Place::name)).toList();
        for (int rank = 0; rank < byName.size(); rank++) {
            Graph.Place place = byName.get(rank);
            nodes.put(place.name(), new Node(place.name(), rank, place.component().get(), this));
        }
        graph.connections.forEach(this::connect);
    }

    private void connect(Graph.Connection connection) {
        Wire wire = wires[connection.link()];
        if (wire.isConnected()) {
            throw new IllegalArgumentException("link " + wire.name() + " joins two pairs of components");
        }
        Node from = node(connection.from());
        Node to = node(connection.to());
        Port in = new Port(connection.inPort(), wire, false);
        from.connect(connection.outPort(), new Port(connection.outPort(), wire, true));
        to.connect(connection.inPort(), in);
        wire.connect(new Wire.Ends(from, to, in));
    }

    private Node node(String name) {
        Node node = nodes.get(name);
        if (node == null) {
            throw new IllegalArgumentException("no component " + name);
        }
        return node;
    }

    Agenda agenda() {
        return agenda;
    }

    Recorder recorder() {
        return recorder;
    }

    String correlation() {
        return correlation;
    }

    Tokens tokens(int semaphore) {
        return tokens[semaphore];
    }

    Wire[] wires(List<Integer> links) {
        return links.stream().map(link -> wires[link]).toArray(Wire[]::new);
    }

    Outcome run() {
        nodes.values().forEach(node -> node.schedule(0, new Event.Start(node)));
        long events = agenda.run();
        new Standstill(List.copyOf(nodes.values()), List.of(tokens), List.of(wires)).describe().ifPresent(waiting -> {
            throw NpuflowException.environment("NPF-340", "the simulation stands still at " + agenda.now() + " ps", waiting, "every component to finish",
                    "more queue places or buffers, or another order of releases");
        });
        return new Outcome(agenda.now(), events, List.of(wires).stream().map(Wire::use).sorted(Comparator.comparing(Outcome.LinkUse::name)).toList(),
                nodes.values().stream().map(Node::use).toList());
    }
}
