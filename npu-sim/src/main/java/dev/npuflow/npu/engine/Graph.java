package dev.npuflow.npu.engine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/// Components and what joins them. Build in any order: ties are broken by name, so the same graph gives the same trace.
public final class Graph {

    record Semaphore(String name, int initial, int capacity) {}

    record Place(String name, Supplier<? extends Component> component) {}

    record Connection(int link, String from, String outPort, String to, String inPort) {}

    final List<Semaphore> semaphores = new ArrayList<>();
    final List<Link> links = new ArrayList<>();
    final List<Place> places = new ArrayList<>();
    final List<Connection> connections = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    /// Tokens that components wait for: a lock, free places of a bounded queue, the servers of a resource, a barrier.
    ///
    /// @param capacity a release beyond it is a fault of the graph
    /// @return its number
    public int semaphore(String name, int initial, int capacity) {
        if (initial < 0 || capacity < 1 || initial > capacity) {
            throw new IllegalArgumentException("semaphore " + name + ": " + initial + " of " + capacity + " tokens");
        }
        take(name);
        semaphores.add(new Semaphore(name, initial, capacity));
        return semaphores.size() - 1;
    }

    /// @return its number, for routes and connections
    public int link(Link link) {
        take(link.name());
        links.add(link);
        return links.size() - 1;
    }

    /// Joins an out-port of one component to an in-port of another, or of the same. A link joins one pair.
    public void connect(int link, String from, String outPort, String to, String inPort) {
        connections.add(new Connection(link, from, outPort, to, inPort));
    }

    /// @param component makes the component, anew for every run
    public void component(String name, Supplier<? extends Component> component) {
        take(name);
        places.add(new Place(name, component));
    }

    /// A component that runs a fixed program.
    public void agent(String name, Program program) {
        component(name, () -> new ProgramRun(program));
    }

    /// Runs until no event is left.
    ///
    /// @throws dev.npuflow.fault.NpuflowException NPF-340 with the cycle of waiters when a component is not done then
    public Outcome run(Recorder recorder) {
        return run(recorder, "");
    }

    /// @param correlation id of what the run belongs to: spans carry it, and messages may continue it
    public Outcome run(Recorder recorder, String correlation) {
        return new Simulation(this, recorder, correlation).run();
    }

    private void take(String name) {
        if (!names.add(name)) {
            throw new IllegalArgumentException("two components named " + name);
        }
    }
}
