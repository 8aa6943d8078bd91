package dev.npuflow.npu.engine;

import dev.npuflow.npu.engine.Program.Step;
import java.util.Set;
import java.util.TreeSet;

/// A component that steps through a program until it is busy, waits, or has finished. Steps lie in arrays, one row a step: a run takes millions of them.
final class ProgramRun implements Component {

    private static final int ACQUIRE = 0;
    private static final int RELEASE = 1;
    private static final int DELAY = 2;
    private static final int MOVE = 3;
    private static final int REPEAT = 4;
    private static final int NEXT = 5;

    private final Step[] steps;
    private final int[] code;
    private final int[] operand;
    private final long[] amount;
    private final Route[] routes;
    private final long[] packetBytes;
    private final long[] runBytes;
    private final String[] labels;
    private final long[] loops = new long[Program.MAXIMUM_DEPTH];
    private int at;
    private int depth;
    /// When the delay or the transfer at hand began.
    private long since;
    /// Bytes of the transfer at hand that have not arrived.
    private long remaining;

    ProgramRun(Program program) {
        steps = program.steps().toArray(Step[]::new);
        code = new int[steps.length];
        operand = new int[steps.length];
        amount = new long[steps.length];
        routes = new Route[steps.length];
        packetBytes = new long[steps.length];
        runBytes = new long[steps.length];
        labels = new String[steps.length];
    }

    @Override public void start(Node node) {
        for (int step = 0; step < steps.length; step++) {
            switch (steps[step]) {
                case Step.Acquire s -> set(step, ACQUIRE, s.semaphore(), s.tokens());
                case Step.Release s -> set(step, RELEASE, s.semaphore(), s.tokens());
                case Step.Delay s -> {
                    set(step, DELAY, 0, s.picoseconds());
                    labels[step] = s.label();
                }
                case Step.Move s -> {
                    set(step, MOVE, 0, s.bytes());
                    routes[step] = node.route(s.route(), 0);
                    packetBytes[step] = s.packetBytes();
                    runBytes[step] = s.runBytes();
                    labels[step] = s.label();
                }
                case Step.Repeat s -> set(step, REPEAT, 0, s.times());
                case Step.Next s -> set(step, NEXT, s.start(), 0);
            }
        }
        advance(node);
    }

    private void set(int step, int what, int which, long howMuch) {
        code[step] = what;
        operand[step] = which;
        amount[step] = howMuch;
    }

    /// The step that the program stopped at is done: the tokens are its own, the delay is over, or a packet has arrived.
    @Override public void wake(Node node, long token) {
        switch (code[at]) {
            case ACQUIRE -> { }
            case DELAY -> node.span(labels[at], since, 0, node.correlation());
            default -> {
                remaining -= Math.min(packetBytes[at], remaining);
                if (remaining > 0) {
                    sendPacket();
                    return;
                }
                node.span(labels[at], since, amount[at], node.correlation());
            }
        }
        at++;
        advance(node);
    }

    private void advance(Node node) {
        while (at < code.length) {
            switch (code[at]) {
                case ACQUIRE -> {
                    if (!node.acquire(operand[at], (int) amount[at], 0)) {
                        return;
                    }
                    at++;
                }
                case RELEASE -> node.release(operand[at], (int) amount[at++]);
                case DELAY -> {
                    since = node.now();
                    node.wakeAfter(amount[at], 0);
                    return;
                }
                case MOVE -> {
                    since = node.now();
                    remaining = amount[at];
                    sendPacket();
                    return;
                }
                case REPEAT -> loops[depth++] = amount[at++];
                default -> {
                    if (--loops[depth - 1] > 0) {
                        at = operand[at] + 1;
                    } else {
                        depth--;
                        at++;
                    }
                }
            }
        }
    }

    private void sendPacket() {
        routes[at].carry(Math.min(packetBytes[at], remaining), runBytes[at]);
    }

    @Override public boolean isDone() {
        return at >= steps.length;
    }

    @Override public Set<Integer> releases() {
        Set<Integer> semaphores = new TreeSet<>();
        for (Step step : steps) {
            if (step instanceof Step.Release release) {
                semaphores.add(release.semaphore());
            }
        }
        return semaphores;
    }
}
