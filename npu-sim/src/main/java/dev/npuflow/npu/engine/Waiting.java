package dev.npuflow.npu.engine;

import dev.npuflow.npu.engine.Program.Step;
import java.util.ArrayList;
import java.util.List;

/// Who waits for whom when nothing moves any more.
record Waiting(List<Graph.Agent> agents, List<Graph.Semaphore> semaphores, int[] counter) {

    /// The cycle of waiters as text: `a waits for s, which b releases; b waits for …`. Where no cycle exists, the first waiter and what it waits for.
    String describe() {
        List<Integer> path = new ArrayList<>();
        int agent = firstStuck();
        while (!path.contains(agent)) {
            path.add(agent);
            int releaser = stuckReleaserOf(awaited(agent), agent);
            if (releaser < 0) {
                return agents.get(agent).name() + " waits for " + semaphores.get(awaited(agent)).name() + ", which nobody releases any more";
            }
            agent = releaser;
        }
        List<Integer> cycle = path.subList(path.indexOf(agent), path.size());
        List<String> parts = new ArrayList<>();
        for (int at = 0; at < cycle.size(); at++) {
            int waiter = cycle.get(at);
            int releaser = cycle.get((at + 1) % cycle.size());
            parts.add("%s waits for %s, which %s releases".formatted(agents.get(waiter).name(), semaphores.get(awaited(waiter)).name(),
                    agents.get(releaser).name()));
        }
        return String.join("; ", parts);
    }

    private int firstStuck() {
        for (int agent = 0; agent < counter.length; agent++) {
            if (isStuck(agent)) {
                return agent;
            }
        }
        throw new IllegalStateException("nobody waits");
    }

    private boolean isStuck(int agent) {
        return counter[agent] < agents.get(agent).program().steps().size();
    }

    private int awaited(int agent) {
        return ((Step.Acquire) agents.get(agent).program().steps().get(counter[agent])).semaphore();
    }

    private int stuckReleaserOf(int semaphore, int waiter) {
        for (int agent = 0; agent < counter.length; agent++) {
            if (agent != waiter && isStuck(agent) && agents.get(agent).program().steps().stream()
                    .anyMatch(step -> step instanceof Step.Release release && release.semaphore() == semaphore)) {
                return agent;
            }
        }
        return -1;
    }
}
