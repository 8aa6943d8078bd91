package dev.npuflow.npu.engine;

import dev.npuflow.npu.NpuException;
import dev.npuflow.npu.engine.Program.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// One run of a graph: every agent steps through its program, and is either scheduled once or waits for one semaphore. Links keep time in
/// femtoseconds, which a long holds for two and a half hours: enough for a launch, which starts at zero.
final class Simulation {

    private static final int NONE = -1;

    private final Recorder recorder;
    private final boolean recording;
    private final List<Graph.Agent> agents;
    private final List<Graph.Semaphore> semaphores;
    private final List<Graph.Link> links;
    private final EventQueue queue;
    private long events;

    // programs, as arrays: one row a step
    private final int[][] code;
    private final int[][] operand;
    private final long[][] amount;
    private final Step[][] steps;
    private final int[][][] routes;

    // agents
    private final int[] counter;
    private final long[] loops;
    private final int[] depth;
    private final long[] remaining;
    private final long[] since;
    private final long[] busy;
    private final long[] end;
    private final int[] sequence;
    private final int[] nextWaiter;

    // semaphores
    private final int[] tokens;
    private final int[] firstWaiter;
    private final int[] lastWaiter;

    // links
    private final long[] perByte;
    private final long[] perRun;
    private final long[] freeAt;
    private final long[] occupied;
    private final long[] bytesIn;
    private final long[] bytesOut;

    private static final int ACQUIRE = 0;
    private static final int RELEASE = 1;
    private static final int DELAY = 2;
    private static final int MOVE = 3;
    private static final int REPEAT = 4;
    private static final int NEXT = 5;

    Simulation(Graph graph, Recorder recorder) {
        this.recorder = recorder;
        recording = recorder != Recorder.SILENT;
        agents = graph.agents.stream().sorted(Comparator.comparing(Graph.Agent::name)).toList();
        semaphores = List.copyOf(graph.semaphores);
        links = List.copyOf(graph.links);
        int count = agents.size();
        queue = new EventQueue(count + 1);
        code = new int[count][];
        operand = new int[count][];
        amount = new long[count][];
        steps = new Step[count][];
        routes = new int[count][][];
        counter = new int[count];
        loops = new long[count * Program.MAXIMUM_DEPTH];
        depth = new int[count];
        remaining = new long[count];
        since = new long[count];
        busy = new long[count];
        end = new long[count];
        sequence = new int[count];
        nextWaiter = new int[count];
        for (int agent = 0; agent < count; agent++) {
            translate(agent, agents.get(agent).program());
        }
        tokens = semaphores.stream().mapToInt(Graph.Semaphore::initial).toArray();
        firstWaiter = new int[tokens.length];
        lastWaiter = new int[tokens.length];
        Arrays.fill(firstWaiter, NONE);
        perByte = links.stream().mapToLong(Graph.Link::femtosecondsPerByte).toArray();
        perRun = links.stream().mapToLong(Graph.Link::femtosecondsPerRun).toArray();
        freeAt = new long[perByte.length];
        occupied = new long[perByte.length];
        bytesIn = new long[perByte.length];
        bytesOut = new long[perByte.length];
    }

    private void translate(int agent, Program program) {
        steps[agent] = program.steps().toArray(Step[]::new);
        int length = steps[agent].length;
        code[agent] = new int[length];
        operand[agent] = new int[length];
        amount[agent] = new long[length];
        routes[agent] = new int[length][];
        for (int at = 0; at < length; at++) {
            switch (steps[agent][at]) {
                case Step.Acquire s -> set(agent, at, ACQUIRE, s.semaphore(), s.tokens());
                case Step.Release s -> set(agent, at, RELEASE, s.semaphore(), s.tokens());
                case Step.Delay s -> set(agent, at, DELAY, 0, s.picoseconds());
                case Step.Move s -> {
                    set(agent, at, MOVE, 0, s.bytes());
                    routes[agent][at] = s.route().stream().mapToInt(Integer::intValue).toArray();
                }
                case Step.Repeat s -> set(agent, at, REPEAT, 0, s.times());
                case Step.Next s -> set(agent, at, NEXT, s.start(), 0);
            }
        }
    }

    private void set(int agent, int at, int what, int which, long howMuch) {
        code[agent][at] = what;
        operand[agent][at] = which;
        amount[agent][at] = howMuch;
    }

    Outcome run() {
        for (int agent = 0; agent < code.length; agent++) {
            schedule(agent, 0);
        }
        while (!queue.isEmpty()) {
            int agent = queue.poll();
            events++;
            step(agent, queue.now());
        }
        if (!finished()) {
            throw standstill();
        }
        List<Outcome.LinkUse> linkUse = new ArrayList<>();
        for (int link = 0; link < perByte.length; link++) {
            linkUse.add(new Outcome.LinkUse(links.get(link).name(), bytesIn[link], bytesOut[link], occupied[link] / 1000));
        }
        linkUse.sort(Comparator.comparing(Outcome.LinkUse::name));
        List<Outcome.AgentUse> agentUse = new ArrayList<>();
        for (int agent = 0; agent < code.length; agent++) {
            agentUse.add(new Outcome.AgentUse(agents.get(agent).name(), busy[agent], end[agent]));
        }
        return new Outcome(queue.now(), events, linkUse, agentUse);
    }

    private boolean finished() {
        for (int agent = 0; agent < code.length; agent++) {
            if (counter[agent] < code[agent].length) {
                return false;
            }
        }
        return true;
    }

    private void schedule(int agent, long at) {
        queue.schedule(at, agent, sequence[agent]++ & Integer.MAX_VALUE, agent);
    }

    /// Continues an agent until it is busy, waits or has finished.
    private void step(int agent, long now) {
        int[] what = code[agent];
        int at = counter[agent];
        while (at < what.length) {
            switch (what[at]) {
                case ACQUIRE -> {
                    int semaphore = operand[agent][at];
                    if (since[agent] == NONE) {
                        since[agent] = 0;
                    } else if (tokens[semaphore] < amount[agent][at] || firstWaiter[semaphore] != NONE) {
                        await(agent, semaphore);
                        counter[agent] = at;
                        return;
                    } else {
                        tokens[semaphore] -= (int) amount[agent][at];
                    }
                    at++;
                }
                case RELEASE -> release(operand[agent][at], (int) amount[agent][at++], now);
                case DELAY -> {
                    if (remaining[agent] == 0) {
                        remaining[agent] = 1;
                        since[agent] = now;
                        counter[agent] = at;
                        schedule(agent, now + amount[agent][at]);
                        return;
                    }
                    remaining[agent] = 0;
                    span(agent, at++, now, 0);
                }
                case MOVE -> {
                    if (!move(agent, at, now)) {
                        return;
                    }
                    at++;
                }
                case REPEAT -> {
                    loops[agent * Program.MAXIMUM_DEPTH + depth[agent]++] = amount[agent][at];
                    at++;
                }
                default -> {
                    int loop = agent * Program.MAXIMUM_DEPTH + depth[agent] - 1;
                    if (--loops[loop] > 0) {
                        at = operand[agent][at] + 1;
                    } else {
                        depth[agent]--;
                        at++;
                    }
                }
            }
        }
        counter[agent] = at;
        end[agent] = now;
    }

    /// Sends the next packet; true once all have arrived.
    private boolean move(int agent, int at, long now) {
        Step.Move move = (Step.Move) steps[agent][at];
        int[] route = routes[agent][at];
        if (remaining[agent] == 0) {
            remaining[agent] = move.bytes() + 1;
            since[agent] = now;
        } else {
            long arrived = Math.min(move.packetBytes(), remaining[agent] - 1);
            remaining[agent] -= arrived;
            for (int link : route) {
                bytesOut[link] += arrived;
            }
            if (remaining[agent] == 1) {
                remaining[agent] = 0;
                span(agent, at, now, move.bytes());
                return true;
            }
        }
        long packet = Math.min(move.packetBytes(), remaining[agent] - 1);
        long head = now * 1000;
        long tail = head;
        for (int link : route) {
            long occupancy = packet * perByte[link] + packet * perRun[link] / move.runBytes();
            head = Math.max(head, freeAt[link]);
            freeAt[link] = head + occupancy;
            occupied[link] += occupancy;
            bytesIn[link] += packet;
            tail = Math.max(tail, freeAt[link]);
        }
        counter[agent] = at;
        schedule(agent, (tail + 999) / 1000);
        return false;
    }

    private void span(int agent, int at, long now, long bytes) {
        busy[agent] += now - since[agent];
        if (recording) {
            String label = switch (steps[agent][at]) {
                case Step.Delay s -> s.label();
                case Step.Move s -> s.label();
                case Step.Acquire _, Step.Release _, Step.Repeat _, Step.Next _ -> "";
            };
            recorder.span(agents.get(agent).name(), label, since[agent], now, bytes);
        }
    }

    private void await(int agent, int semaphore) {
        nextWaiter[agent] = NONE;
        if (firstWaiter[semaphore] == NONE) {
            firstWaiter[semaphore] = agent;
        } else {
            nextWaiter[lastWaiter[semaphore]] = agent;
        }
        lastWaiter[semaphore] = agent;
    }

    private void release(int semaphore, int count, long now) {
        tokens[semaphore] += count;
        if (tokens[semaphore] > semaphores.get(semaphore).capacity()) {
            throw new IllegalStateException(semaphores.get(semaphore).name() + " holds " + tokens[semaphore] + " tokens of "
                    + semaphores.get(semaphore).capacity());
        }
        int waiter = firstWaiter[semaphore];
        while (waiter != NONE && amount[waiter][counter[waiter]] <= tokens[semaphore]) {
            tokens[semaphore] -= (int) amount[waiter][counter[waiter]];
            firstWaiter[semaphore] = nextWaiter[waiter];
            since[waiter] = NONE;
            schedule(waiter, now);
            waiter = firstWaiter[semaphore];
        }
    }

    private NpuException standstill() {
        return new NpuException("NPF-340", "the simulation stands still at " + queue.now() + " ps (" + new Waiting(agents, semaphores, counter)
                .describe()
                + ")", "every agent to finish", "more queue places or buffers, or another order of releases");
    }
}
