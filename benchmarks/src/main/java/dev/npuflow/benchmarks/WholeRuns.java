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
        runs.phase5("tiny_kjv", 30, 30);
        runs.phase5("llama32_1b", 240, 120);
    }

    /// Twice in one workspace: the second run finds the reference's tokens and the synthetic weights in the cache.
    private void phase5(String model, double coldLimit, double warmLimit) throws IOException, InterruptedException {
        Path workspace = Files.createTempDirectory("npuflow-bench");
        try {
            for (double limit : new double[] {coldLimit, warmLimit}) {
                Run run = start(List.of("phase5", model, "--workspace", workspace.toString()));
                String what = "npuflow phase5 %s, %s".formatted(model, Files.exists(workspace.resolve("warm")) ? "reference cached" : "cold");
                print(run.exitCode() == 0 ? what : what + " (exit code %d)".formatted(run.exitCode()), run.seconds(), limit);
                System.out.printf(Locale.ROOT, "%-52s %8d MiB  limit 6144%n", "  peak resident set", run.mebibytes());
                Files.writeString(workspace.resolve("warm"), "");
            }
        } finally {
            delete(workspace);
        }
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
        System.out.printf(Locale.ROOT, "%-52s %8.2f s    limit %.1f%s%n", what, seconds, limit, seconds > limit ? "  above" : "");
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
