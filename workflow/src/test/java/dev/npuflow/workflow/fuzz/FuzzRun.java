package dev.npuflow.workflow.fuzz;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/// The fuzzer as a program, for as long as one likes, and for one input again. `src/test/soak/fuzz.sh` starts it.
///
///     --seconds N          how long; 60 if left out
///     --seed N             of the first round; 1 if left out
///     --subject NAME       only this one
///     --input N            of the subject and the seed: read once, and written to target/fuzz/input
///
/// Each round reads [Subject#share()] inputs of each subject under the next seed. The exit code is 1 if anything was found.
public final class FuzzRun {

    private final PrintStream out;
    private final Path place;
    private final List<Fuzzer.Find> finds = new ArrayList<>();
    private final AtomicLong read = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();

    private FuzzRun(PrintStream out, Path place) {
        this.out = out;
        this.place = place;
    }

    public static void main(String[] arguments) throws IOException {
        Path place = Files.createDirectories(Path.of("target", "fuzz"));
        FuzzRun run = new FuzzRun(System.out, place);
        long seed = option(arguments, "--seed").map(Long::parseLong).orElse(1L);
        Duration duration = Duration.ofSeconds(option(arguments, "--seconds").map(Long::parseLong).orElse(60L));
        Path files = Files.createTempDirectory("npuflow-fuzz");
        List<Subject> subjects = Subjects.all(files).stream().filter(subject -> option(arguments, "--subject").map(subject.name()::equals).orElse(true)).toList();
        Optional<Long> input = option(arguments, "--input").map(Long::parseLong);
        if (input.isPresent()) {
            run.one(subjects.getFirst(), seed, input.get());
        } else {
            run.rounds(subjects, seed, Instant.now().plus(duration));
        }
        try (Stream<Path> made = Files.walk(files)) {
            for (Path path : made.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
        System.exit(run.finds.isEmpty() ? 0 : 1);
    }

    private static Optional<String> option(String[] arguments, String name) {
        for (int i = 0; i + 1 < arguments.length; i++) {
            if (arguments[i].equals(name)) {
                return Optional.of(arguments[i + 1]);
            }
        }
        return Optional.empty();
    }

    private void one(Subject subject, long seed, long number) throws IOException {
        Subject.Input input = subject.input(seed, number);
        Files.write(place.resolve("input"), input.bytes());
        out.printf("%s: %s%n  the input is in %s%n", subject.name(), input.change(), place.resolve("input"));
        fuzz(subject, seed, LongStream.of(number));
        out.println(finds.isEmpty() ? refused.get() == 0 ? "read" : "refused, in one line" : "found");
    }

    private void rounds(List<Subject> subjects, long first, Instant end) {
        long seed = first;
        for (; Instant.now().isBefore(end); seed++) {
            for (Subject subject : subjects) {
                if (Instant.now().isBefore(end)) {
                    fuzz(subject, seed, LongStream.range(0, subject.share()));
                }
            }
        }
        out.printf("%d inputs of %d kinds read, %d refused, %d finds; seeds %d to %d%n", read.get(), subjects.size(), refused.get(), finds.size(), first, seed - 1);
    }

    private void fuzz(Subject subject, long seed, LongStream numbers) {
        refused.addAndGet(new Fuzzer(subject, new Fuzzer.Watch() {
            @Override public void begins(Subject.Input input) {
                read.incrementAndGet();
                try {
                    // Where native code ends the process, this tells by what.
                    Files.write(place.resolve("now"), input.again().getBytes(StandardCharsets.UTF_8));
                } catch (IOException full) {
                    throw new UncheckedIOException(full);
                }
            }

            @Override public void found(Fuzzer.Find find) {
                finds.add(find);
                out.println(find);
            }
        }).run(seed, numbers));
    }
}
