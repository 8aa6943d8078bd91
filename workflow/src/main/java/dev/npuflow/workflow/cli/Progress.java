package dev.npuflow.workflow.cli;

import dev.npuflow.workflow.phase.PhaseProgress;
import java.io.PrintWriter;

/// Tells on standard error what a long command is doing: one line that replaces itself on a terminal, nothing where the output is piped.
final class Progress implements PhaseProgress, AutoCloseable {

    private static final int WIDTH = 100;

    private final PrintWriter err;
    private final boolean terminal;
    private final boolean color;

    private Progress(PrintWriter err, boolean terminal, boolean color) {
        this.err = err;
        this.terminal = terminal;
        this.color = color;
    }

    static Progress onTerminal(PrintWriter err) {
        boolean terminal = System.console() != null && System.console().isTerminal() && !"dumb".equals(System.getenv("TERM"));
        String noColor = System.getenv("NO_COLOR");
        return new Progress(err, terminal, noColor == null || noColor.isEmpty());
    }

    @Override public void step(String line) {
        if (terminal) {
            String shown = line.length() > WIDTH ? line.substring(0, WIDTH) : line;
            err.print("\r\u001b[2K" + (color ? "\u001b[2m" + shown + "\u001b[0m" : shown));
            err.flush();
        }
    }

    /// A line that stays, also where the output is piped.
    void warn(String line) {
        close();
        err.println("warning: " + Printable.of(line));
    }

    /// Takes the line away.
    @Override public void close() {
        if (terminal) {
            err.print("\r\u001b[2K");
            err.flush();
        }
    }
}
