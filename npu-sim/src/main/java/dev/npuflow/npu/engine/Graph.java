package dev.npuflow.npu.engine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Components and what joins them. Build in any order: ties are broken by name, so the same graph gives the same trace.
public final class Graph {

    record Semaphore(String name, int initial, int capacity) {}

    record Link(String name, long femtosecondsPerByte, long femtosecondsPerRun) {}

    record Agent(String name, Program program) {}

    private static final long FEMTOSECONDS = 1_000_000_000_000_000L;

    final List<Semaphore> semaphores = new ArrayList<>();
    final List<Link> links = new ArrayList<>();
    final List<Agent> agents = new ArrayList<>();
    private final Set<String> names = new HashSet<>();

    /// Tokens that agents wait for: a lock, free places of a bounded queue, the servers of a resource.
    ///
    /// @param capacity a release beyond it is a fault of the graph
    public int semaphore(String name, int initial, int capacity) {
        if (initial < 0 || capacity < 1 || initial > capacity) {
            throw new IllegalArgumentException("semaphore " + name + ": " + initial + " of " + capacity + " tokens");
        }
        take(name);
        semaphores.add(new Semaphore(name, initial, capacity));
        return semaphores.size() - 1;
    }

    /// An edge that carries one packet at a time, first come, first served.
    ///
    /// @param perRunPicoseconds occupancy that each contiguous run adds
    public int link(String name, double bytesPerSecond, double perRunPicoseconds) {
        if (!(bytesPerSecond > 0) || !(perRunPicoseconds >= 0)) {
            throw new IllegalArgumentException("link " + name + ": " + bytesPerSecond + " bytes/s, " + perRunPicoseconds + " ps a run");
        }
        take(name);
        links.add(new Link(name, Math.max(1, Math.round(FEMTOSECONDS / bytesPerSecond)), Math.round(perRunPicoseconds * 1000)));
        return links.size() - 1;
    }

    public void agent(String name, Program program) {
        take(name);
        agents.add(new Agent(name, program));
    }

    /// Runs until every agent has finished.
    ///
    /// @throws dev.npuflow.npu.NpuException NPF-340 with the cycle of waiters when no agent can go on
    public Outcome run(Recorder recorder) {
        return new Simulation(this, recorder).run();
    }

    private void take(String name) {
        if (!names.add(name)) {
            throw new IllegalArgumentException("two components named " + name);
        }
    }
}
