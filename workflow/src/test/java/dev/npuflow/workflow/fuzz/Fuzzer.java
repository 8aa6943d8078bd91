package dev.npuflow.workflow.fuzz;

import com.sun.management.ThreadMXBean;
import dev.npuflow.fault.NpuflowException;
import dev.npuflow.fault.OneLine;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/// Reads damaged inputs and judges what comes of each: it is read, or it ends in a fault with an id, told in one plain line. Another exception, an error, no end, or
/// more memory than [#MOST_BYTES] is a find.
final class Fuzzer {

    /// What reading one input may allocate in all. The largest seed has 60 kB.
    static final long MOST_BYTES = 64L << 20;

    /// Reading one takes milliseconds; the rest is for a machine that is busy.
    private static final Duration LONGEST = Duration.ofSeconds(60);

    /// A fault's parts are cut at 1000 characters each, what may be a list at 4000.
    private static final int LONGEST_LINE = 10_100;

    private static final Duration LOOK = Duration.ofSeconds(1);

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Subject subject;
    private final Watch watch;

    /// Told of what happens.
    interface Watch {

        /// Before an input is read: native code can end the process.
        default void begins(Subject.Input input) {}

        void found(Find find);
    }

    /// @param what is wrong, with a stack trace where there is one
    record Find(Subject.Input input, String what) {

        @Override public String toString() {
            return "%s, seed %d, input %d (%s)%n  again: %s%n  %s".formatted(input.subject(), input.seed(), input.number(), OneLine.of(input.change(), 300), input.again(), what);
        }
    }

    Fuzzer(Subject subject, Watch watch) {
        this.subject = subject;
        this.watch = watch;
    }

    /// Reads the inputs of some numbers, one after the other; ends early at one that has no end.
    ///
    /// @return how many were refused
    long run(long seed, LongStream numbers) {
        AtomicLong refused = new AtomicLong();
        AtomicReference<Throwable> broken = new AtomicReference<>();
        AtomicReference<Begun> now = new AtomicReference<>(new Begun(subject.input(seed, 0), System.nanoTime()));
        Thread reading = Thread.ofPlatform().daemon().name("reads " + subject.name()).start(() -> {
            try {
                numbers.forEach(number -> {
                    Subject.Input input = subject.input(seed, number);
                    now.set(new Begun(input, System.nanoTime()));
                    watch.begins(input);
                    refused.addAndGet(judged(input));
                });
            } catch (RuntimeException ownFault) {
                broken.set(ownFault);
            }
        });
        try {
            while (!reading.join(LOOK)) {
                Begun begun = now.get();
                if (System.nanoTime() - begun.at() > LONGEST.toNanos()) {
                    watch.found(new Find(begun.input(), "no end after %d s: %s".formatted(LONGEST.toSeconds(), Arrays.stream(reading.getStackTrace()).limit(12)
                            .map(frame -> System.lineSeparator() + "    at " + frame).collect(Collectors.joining()))));
                    break;
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        if (broken.get() != null) {
            throw new IllegalStateException("the fuzzer itself failed", broken.get());
        }
        return refused.get();
    }

    private record Begun(Subject.Input input, long at) {}

    /// @return 1 where it is refused
    private int judged(Subject.Input input) {
        long before = THREADS.getCurrentThreadAllocatedBytes();
        int refused = 0;
        try {
            subject.reader().read(input.bytes());
        } catch (NpuflowException fault) {
            refused = 1;
            wrong(fault).ifPresent(what -> watch.found(new Find(input, what)));
        } catch (Throwable stranger) {
            StringWriter trace = new StringWriter();
            stranger.printStackTrace(new PrintWriter(trace));
            watch.found(new Find(input, trace.toString().lines().limit(14).collect(Collectors.joining(System.lineSeparator()))));
        }
        long allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
        if (allocated > MOST_BYTES) {
            watch.found(new Find(input, "%d bytes allocated".formatted(allocated)));
        }
        return refused;
    }

    private static Optional<String> wrong(NpuflowException fault) {
        String line = fault.getMessage();
        boolean form = line.matches("NPF-\\d{3} .*: expected .*; try .*") && OneLine.is(line) && line.length() <= LONGEST_LINE;
        return form && !fault.id().equals("NPF-899") ? Optional.empty() : Optional.of("a fault that is no plain line (%d characters): %s".formatted(line.length(), OneLine.of(line, 400)));
    }
}
