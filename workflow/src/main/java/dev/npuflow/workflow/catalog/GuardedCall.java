package dev.npuflow.workflow.catalog;

import dev.npuflow.fault.OneLine;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// Calls a stranger's code so that nothing it does stops the caller: whatever it throws, and when it never returns, is an answer like another. It runs on a daemon
/// thread, so code that hangs does not keep the tool from ending.
final class GuardedCall {

    private static final long STACK_BYTES = 16L << 20;
    private static final int LONGEST_LINE = 400;

    private final String whose;
    private final ClassLoader code;
    private final Duration limit;
    private final ThreadGroup threads;
    /// Our own, which may go on after their limit.
    private final Set<Thread> left = ConcurrentHashMap.newKeySet();
    private final Set<String> changed = new TreeSet<>();

    /// @param whose such as `skill my-skill`
    /// @param code  what loaded the stranger's classes
    GuardedCall(String whose, ClassLoader code, Duration limit) {
        this.whose = whose;
        this.code = code;
        this.limit = limit;
        this.threads = new Threads(whose, code);
    }

    interface Body<T> {
        @Nullable T call();
    }

    /// What the code changed of the process is put back, and told on standard error.
    ///
    /// @param method as the answer names it
    <T> Answer<T> call(String method, Body<T> body) {
        ProcessState state = ProcessState.now();
        try {
            return answered(method, body);
        } finally {
            List<String> restored = state.restore();
            if (!restored.isEmpty()) {
                changed.addAll(restored);
                System.err.println("%s: %s changed %s; npuflow put it back".formatted(whose, method, String.join(", ", restored)));
            }
        }
    }

    /// What of the process the code has changed so far, in words.
    List<String> changed() {
        return List.copyOf(changed);
    }

    private <T> Answer<T> answered(String method, Body<T> body) {
        SkillTrace trace = new SkillTrace(method, code);
        FutureTask<Answer<T>> task = new FutureTask<>(() -> answer(method, body, trace));
        Thread thread = new Thread(threads, task, method, STACK_BYTES);
        thread.setDaemon(true);
        left.add(thread);
        thread.start();
        try {
            return task.get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            StackTraceElement[] stack = thread.getStackTrace();
            thread.interrupt();
            return new Answer.Crash<>(trace.late(limit, stack));
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
            return new Answer.Crash<>(SkillFault.of(method + " was interrupted"));
        }
    }

    /// Threads that the code started itself and that still run.
    List<String> running() {
        Thread[] alive = new Thread[threads.activeCount() + 16];
        int count = threads.enumerate(alive);
        return Arrays.stream(alive, 0, count).filter(thread -> !left.contains(thread)).map(thread -> line(thread.getName())).sorted().toList();
    }

    private static <T> Answer<T> answer(String method, Body<T> body, SkillTrace trace) {
        try {
            @Nullable T value = body.call();
            return value == null ? new Answer.Crash<>(SkillFault.of(method + " returned null")) : new Answer.Value<>(value);
        } catch (NoAnswer wrong) {
            return new Answer.Crash<>(SkillFault.of("%s returned %s".formatted(method, wrong.getMessage())));
        } catch (Throwable thrown) {
            return new Answer.Crash<>(trace.thrown(thrown));
        }
    }

    /// A value that is none; the message says what was returned instead.
    static final class NoAnswer extends RuntimeException {

        private static final long serialVersionUID = 1L;

        NoAnswer(String message) {
            super(message);
        }
    }

    /// A stranger's text as one plain line; nothing where there is none.
    static String line(@Nullable String text) {
        return OneLine.of(Objects.requireNonNullElse(text, ""), LONGEST_LINE);
    }

    /// The threads of a stranger's code, with those that it starts itself: what one throws is told in a line, where Java would print its stack.
    private static final class Threads extends ThreadGroup {

        private final String whose;
        private final ClassLoader code;

        Threads(String whose, ClassLoader code) {
            super(whose);
            this.whose = whose;
            this.code = code;
        }

        @Override public void uncaughtException(Thread thread, Throwable thrown) {
            System.err.println("%s: its thread %s".formatted(whose, new SkillTrace(line(thread.getName()), code).thrown(thrown).reason()));
        }
    }
}
