package dev.npuflow.benchmarks;

import dev.npuflow.npu.engine.EventQueue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// The engine's event queue in the hold model: 10,000 pending events; each step takes the earliest and schedules one later. Events a microsecond are millions
/// a second.
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class EventQueueHold {

    private static final int PENDING = 10_000;
    private static final int STEPS = 100_000;

    /// Greatest delay in picoseconds: within the wheel, and mostly beyond it.
    @Param({"40000000", "400000000"})
    public long delay;

    private EventQueue queue;
    private long random = 88_172_645_463_325_252L;

    @Setup public void fill() {
        queue = new EventQueue(PENDING);
        for (int event = 0; event < PENDING; event++) {
            queue.schedule(next(), event, 0, event);
        }
    }

    @Benchmark @OperationsPerInvocation(STEPS) public long hold() {
        for (int step = 0; step < STEPS; step++) {
            int event = queue.poll();
            queue.schedule(queue.now() + next(), event, 0, event);
        }
        return queue.now();
    }

    private long next() {
        random ^= random << 13;
        random ^= random >>> 7;
        random ^= random << 17;
        return (random >>> 1) % delay;
    }
}
