package dev.npuflow.workflow.cli;

import dev.npuflow.fault.OneLine;
import dev.npuflow.workflow.generation.GenerationProgress;
import dev.npuflow.workflow.phase.PhaseProgress;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/// Tells on standard error what a long command is doing, with the seconds since it began: one line that replaces itself on a terminal; else a line a step, and
/// one every few seconds of a long step, so that whoever waits sees that it still runs. Nothing of it reaches a result.
public final class Progress implements PhaseProgress, GenerationProgress, AutoCloseable {

    /// How much is told.
    enum Detail { NOTHING, STEPS, STAGES }

    private static final int WIDTH = 100;
    private static final long LONGEST_SILENCE = Duration.ofSeconds(5).toNanos();
    private static final long SHORTEST_SIGHT = Duration.ofMillis(100).toNanos();
    private static final Duration TICK = Duration.ofSeconds(1);

    private final PrintWriter err;
    private final Detail detail;
    private final boolean inPlace;
    private final boolean color;
    private final int steps;
    private final LongSupplier nanoseconds;
    private final long began;
    private final Thread ticker;
    private long lastShown;
    private int number;
    private boolean working;
    private String run = "";
    private String step = "";
    private String stage = "";
    private String who = "";
    private String prompt = "";
    private String place = "";
    private int tokens;

    /// @param steps       that the command has, 0 where it cannot know
    /// @param inPlace     whether a line may replace the one before
    /// @param nanoseconds of a clock
    Progress(PrintWriter err, Detail detail, int steps, boolean inPlace, boolean color, LongSupplier nanoseconds) {
        this.err = err;
        this.detail = detail;
        this.steps = steps;
        this.inPlace = inPlace;
        this.color = color;
        this.nanoseconds = nanoseconds;
        this.began = nanoseconds.getAsLong();
        this.lastShown = began;
        this.ticker = Thread.ofPlatform().daemon().name("progress").unstarted(this::ticking);
    }

    /// Begins to tell.
    static Progress begin(PrintWriter err, Detail detail, int steps) {
        boolean terminal = System.console() != null && System.console().isTerminal() && !"dumb".equals(System.getenv("TERM"));
        String noColor = System.getenv("NO_COLOR");
        Progress progress = new Progress(err, detail, steps, terminal, noColor == null || noColor.isEmpty(), System::nanoTime);
        if (detail != Detail.NOTHING) {
            progress.ticker.start();
        }
        return progress;
    }

    private void ticking() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(TICK);
                tick();
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /// Shows that the step still runs, if nothing else has for a while.
    synchronized void tick() {
        show(false);
    }

    /// The command's next step.
    public synchronized void next(String name) {
        number++;
        begin(steps == 0 ? name : "step %d of %d, %s".formatted(number, steps, name));
    }

    /// Whose steps those are that follow, such as `phase 5`.
    synchronized void run(String name) {
        run = name + ", ";
    }

    @Override public synchronized void step(int position, int of, String name) {
        begin(run + "step %d of %d, %s".formatted(position, of, name));
    }

    private void begin(String text) {
        step = text;
        working = true;
        stage = "";
        forgetPlace();
        show(true);
    }

    @Override public synchronized void stage(String what) {
        stage = ": " + what;
        forgetPlace();
        show(detail == Detail.STAGES);
    }

    private void forgetPlace() {
        who = "";
        prompt = "";
        place = "";
        tokens = 0;
    }

    @Override public synchronized void prompt(int position, int of, int made) {
        prompt("", position, of, made);
    }

    private void prompt(String whose, int position, int of, int made) {
        forgetPlace();
        who = whose;
        prompt = of == 1 ? "" : ", prompt %d of %d".formatted(position, of);
        tokens = made;
        show(detail == Detail.STAGES && of > 1);
    }

    @Override public synchronized void token(int position) {
        place = tokens == 0 ? ", token %d".formatted(position) : ", token %d of %d".formatted(Math.min(position, tokens), tokens);
        show(false);
    }

    @Override public synchronized void layer(int position, int of) {
        place = ", prefill, layer %d of %d".formatted(position, of);
        show(false);
    }

    /// The same for what the reference does, which the NPU's side waits for.
    GenerationProgress reference() {
        return new GenerationProgress() {
            @Override public void prompt(int position, int of, int made) {
                synchronized (Progress.this) {
                    Progress.this.prompt(", reference", position, of, made);
                }
            }

            @Override public void token(int position) {
                Progress.this.token(position);
            }
        };
    }

    /// @param lasting whether this is more than a sign of life
    private void show(boolean lasting) {
        long now = nanoseconds.getAsLong();
        long silence = now - lastShown;
        boolean due = lasting || silence >= (inPlace ? SHORTEST_SIGHT : LONGEST_SILENCE);
        if (detail == Detail.NOTHING || !working || !due) {
            return;
        }
        lastShown = now;
        String line = OneLine.of(String.format(Locale.ROOT, "[%4d s] %s%s%s%s%s", Duration.ofNanos(now - began).toSeconds(), step, stage, who, prompt, place));
        if (!inPlace) {
            err.println(line);
        } else if (lasting && detail == Detail.STAGES) {
            erase();
            err.println(line);
        } else {
            String shown = line.length() > WIDTH ? line.substring(0, WIDTH) : line;
            err.print("\r\u001b[2K" + (color ? "\u001b[2m" + shown + "\u001b[0m" : shown));
        }
        err.flush();
    }

    /// A line that stays, also where nothing else is told.
    public synchronized void warn(String line) {
        erase();
        err.println("warning: " + OneLine.of(line));
    }

    /// Takes the line away, until the next step: the command is about to print its answer.
    public synchronized void clear() {
        working = false;
        erase();
    }

    private void erase() {
        if (inPlace && detail != Detail.NOTHING) {
            err.print("\r\u001b[2K");
            err.flush();
        }
    }

    @Override public void close() {
        clear();
        ticker.interrupt();
    }
}
