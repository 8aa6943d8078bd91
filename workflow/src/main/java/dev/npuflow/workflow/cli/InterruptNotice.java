package dev.npuflow.workflow.cli;

import dev.npuflow.fault.ExitCode;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import sun.misc.Signal;
import sun.misc.SignalHandler;

/// What Ctrl-C and a termination do while it is open: they tell, and end the process with 130 or 143. The one before holds again when it is closed.
final class InterruptNotice implements AutoCloseable {

    private final Map<ExitCode, SignalHandler> before = new EnumMap<>(ExitCode.class);

    /// @param onSignal told once, which of the two it was, on another thread, before the process ends
    InterruptNotice(Consumer<ExitCode> onSignal) {
        AtomicBoolean told = new AtomicBoolean();
        for (ExitCode code : new ExitCode[] {ExitCode.INTERRUPTED, ExitCode.TERMINATED}) {
            before.put(code, Signal.handle(signal(code), _ -> {
                if (told.compareAndSet(false, true)) {
                    onSignal.accept(code);
                }
                // Not on the signal's own thread: the hooks that run now may wait for another signal.
                new Thread(() -> System.exit(code.code()), "exit").start();
            }));
        }
    }

    /// One that prints a line.
    InterruptNotice(PrintWriter err, String line) {
        this(_ -> {
            err.println(line);
            err.flush();
        });
    }

    private static Signal signal(ExitCode code) {
        return new Signal(code == ExitCode.INTERRUPTED ? "INT" : "TERM");
    }

    @Override public void close() {
        before.forEach((code, handler) -> Signal.handle(signal(code), handler));
    }
}
