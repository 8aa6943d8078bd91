package dev.npuflow.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/// A model of one layer and 32 tokens, for tests that deploy often.
final class SmallModel {

    private static final Path STORED = Path.of(System.getProperty("npuflow.root"), "workflow", "src", "test", "resources", "cases", "e16", "model");

    private SmallModel() {}

    /// With one prompt for the gate, which halves the time that a phase takes.
    static Path copyTo(Path directory) throws IOException {
        Files.createDirectories(directory.getParent());
        copyTree(STORED, directory);
        Files.writeString(directory.resolve("prompts.txt"), "in the beginning\n");
        Files.writeString(directory.resolve("model.yaml"), "prompts: prompts.txt\n");
        return directory;
    }

    static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }

    static void delete(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
