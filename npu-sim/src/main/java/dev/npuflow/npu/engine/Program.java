package dev.npuflow.npu.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// What an agent does, as a fixed list of steps: take tokens, give tokens, stay busy, move bytes, repeat.
public final class Program {

    /// Deepest nesting of loops.
    static final int MAXIMUM_DEPTH = 6;

    sealed interface Step {
        record Acquire(int semaphore, int tokens) implements Step {}

        record Release(int semaphore, int tokens) implements Step {}

        record Delay(long picoseconds, String label) implements Step {}

        record Move(List<Integer> route, long bytes, long packetBytes, long runBytes, String label) implements Step {}

        record Repeat(long times) implements Step {}

        record Next(int start) implements Step {}
    }

    private final List<Step> steps = new ArrayList<>();
    private int depth;

    /// Waits until the semaphore holds `tokens` and takes them; waiters are served first come, first served.
    public Program acquire(int semaphore, int tokens) {
        positive("tokens", tokens);
        steps.add(new Step.Acquire(semaphore, tokens));
        return this;
    }

    public Program release(int semaphore, int tokens) {
        positive("tokens", tokens);
        steps.add(new Step.Release(semaphore, tokens));
        return this;
    }

    /// Is busy for that long. No step is added for zero.
    public Program delay(long picoseconds, String label) {
        if (picoseconds < 0) {
            throw new IllegalArgumentException("a delay of " + picoseconds + " ps");
        }
        if (picoseconds > 0) {
            steps.add(new Step.Delay(picoseconds, label));
        }
        return this;
    }

    /// Moves bytes over the links of `route`, packet by packet: a packet passes all links cut-through, first come, first served on each, and the
    /// next one is sent when it has arrived.
    ///
    /// @param packetBytes how finely the transfer interleaves with others on shared links
    /// @param runBytes    contiguous bytes at the far end; a link's per-run time is charged in proportion
    public Program move(List<Integer> route, long bytes, long packetBytes, long runBytes, String label) {
        positive("packetBytes", packetBytes);
        positive("runBytes", runBytes);
        if (bytes > 0) {
            steps.add(new Step.Move(List.copyOf(route), bytes, packetBytes, runBytes, label));
        }
        return this;
    }

    public Program repeat(long times, Consumer<Program> body) {
        if (times <= 0) {
            return this;
        }
        if (++depth > MAXIMUM_DEPTH) {
            throw new IllegalStateException("loops nested deeper than " + MAXIMUM_DEPTH);
        }
        int start = steps.size();
        steps.add(new Step.Repeat(times));
        body.accept(this);
        steps.add(new Step.Next(start));
        depth--;
        return this;
    }

    List<Step> steps() {
        return steps;
    }

    private static void positive(String what, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(what + " (" + value + ") must be positive");
        }
    }
}
