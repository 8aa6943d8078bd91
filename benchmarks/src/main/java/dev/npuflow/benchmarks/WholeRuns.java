package dev.npuflow.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// Whole commands as a user starts them, against the time and memory that they may take. Workspaces are temporary, so that "cold" is cold.
///
///     java … WholeRuns <root of the tree>
public final class WholeRuns {

    private static final int HELP_RUNS = 9;
    private static final long POLL_MILLIS = 20;

    private final Path npuflow;

    private WholeRuns(Path root) {
        npuflow = root.resolve("bin/npuflow");
    }

    /// @param seconds  wall clock
    /// @param mebibytes peak resident set, mapped pages included; 0 where the system does not tell
    record Run(int exitCode, double seconds, long mebibytes) {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        WholeRuns runs = new WholeRuns(Path.of(arguments[0]).toAbsolutePath());
        runs.start(List.of("--help"));
        List<Double> help = new ArrayList<>();
        for (int i = 0; i < HELP_RUNS; i++) {
            help.add(runs.start(List.of("--help")).seconds());
        }
        print("npuflow --help, median of %d".formatted(HELP_RUNS), help.stream().sorted().toList().get(HELP_RUNS / 2), 0.3);
        runs.phases("tiny_kjv", 30, 30, 6144);
        runs.phases("llama32_1b", 480, 120, 6144);
        runs.phases("llama32_3b", Double.POSITIVE_INFINITY, 480, 12288);
    }

    /// All phases with nothing cached, synthetic weights included, then Phase 5 once more with the earlier phases and the reference's tokens at hand.
    private void phases(String model, double deployLimit, double phase5Limit, long mebibytes) throws IOException, InterruptedException {
        Path workspace = Files.createTempDirectory("npuflow-bench");
        try {
            report("npuflow deploy %s, cold".formatted(model), start(List.of("deploy", model, "--workspace", workspace.toString())), deployLimit, mebibytes);
            report("npuflow phase5 %s".formatted(model), start(List.of("phase5", model, "--workspace", workspace.toString())), phase5Limit, mebibytes);
        } finally {
            delete(workspace);
        }
    }

    private static void report(String what, Run run, double seconds, long mebibytes) {
        print(run.exitCode() == 0 ? what : what + " (exit code %d)".formatted(run.exitCode()), run.seconds(), seconds);
        System.out.printf(Locale.ROOT, "%-52s %8d MiB  limit %d%s%n", "  peak resident set", run.mebibytes(), mebibytes,
                run.mebibytes() > mebibytes ? "  above" : "");
    }

    private Run start(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(npuflow.toString()));
        command.addAll(arguments);
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        long peak = 0;
        do {
            peak = Math.max(peak, peakMebibytes(process.pid()));
        } while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS));
        return new Run(process.exitValue(), (System.nanoTime() - start) / 1e9, peak);
    }

    /// The kernel's own high-water mark (`VmHWM`, proc(5)); the launcher has become the JVM, so its id is the JVM's.
    private static long peakMebibytes(long pid) {
        try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "status"))) {
            return lines.filter(line -> line.startsWith("VmHWM:")).findFirst()
                    .map(line -> Long.parseLong(line.replaceAll("\\D", "")) / 1024).orElse(0L);
        } catch (IOException | UncheckedIOException gone) {
            return 0;
        }
    }

    private static void print(String what, double seconds, double limit) {
        String against = Double.isInfinite(limit) ? "" : String.format(Locale.ROOT, "limit %.1f%s", limit, seconds > limit ? "  above" : "");
        System.out.printf(Locale.ROOT, "%-52s %8.2f s    %s%n", what, seconds, against);
    }

    private static void delete(Path directory) throws IOException {
        List<Path> files;
        try (Stream<Path> all = Files.walk(directory)) {
            files = all.sorted((a, b) -> b.getNameCount() - a.getNameCount()).toList();
        }
        for (Path file : files) {
            Files.delete(file);
        }
    }
}
