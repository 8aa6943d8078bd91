package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NearestName;
import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.RegularFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Finds the tree, the model directory and the workspace.
public final class ModelLocator {

    static final Path LLMS = Path.of("programming_examples", "llms");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

    private ModelLocator() {}

    /// The tree that npuflow runs in: the launcher's, or the one around the working directory.
    static Optional<Path> tree() {
        Path working = Path.of("").toAbsolutePath();
        for (Path folder = working; folder != null; folder = folder.getParent()) {
            if (Files.isDirectory(folder.resolve(LLMS))) {
                return Optional.of(folder);
            }
        }
        return Optional.ofNullable(System.getProperty("npuflow.root")).map(Path::of).filter(root -> Files.isDirectory(root.resolve(LLMS)));
    }

    /// @param model a name under programming_examples/llms, or a path
    /// @throws NpuflowException NPF-803 if there is no such directory
    public static Path directory(String model) {
        String broken = "";
        try {
            Optional<Path> named = NAME.matcher(model).matches() ? tree().map(tree -> tree.resolve(LLMS).resolve(model)) : Optional.empty();
            if (named.filter(Files::isDirectory).isPresent()) {
                return named.get();
            }
            Path path = Path.of(model);
            if (Files.isDirectory(path)) {
                return path.toAbsolutePath().normalize();
            }
            broken = RegularFile.brokenLink(path).map(" is "::concat).orElse("");
        } catch (InvalidPathException e) {
            // told below: such a text names no directory
        }
        throw NpuflowException.badInput("NPF-803", "model", model + broken, "a name under %s or a directory".formatted(LLMS),
                "%s, or the path of a Hugging Face directory".formatted(NearestName.of(model, names()).orElse("tiny_kjv")));
    }

    /// As [#directory], and a file is itself.
    static Path fileOrDirectory(String model) {
        try {
            if (Files.isRegularFile(Path.of(model))) {
                return Path.of(model).toAbsolutePath().normalize();
            }
        } catch (InvalidPathException e) {
            // told by directory(): such a text names nothing
        }
        return directory(model);
    }

    /// The models of the tree, by name; none outside a tree.
    public static List<Path> all() {
        return tree().map(tree -> tree.resolve(LLMS)).map(models -> {
            try (Stream<Path> directories = Files.list(models)) {
                return directories.filter(directory -> !directory.getFileName().toString().startsWith("."))
                        .filter(directory -> RegularFile.find(directory.resolve("config.json")).isPresent()).sorted().toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }).orElse(List.of());
    }

    private static List<String> names() {
        return all().stream().map(directory -> directory.getFileName().toString()).toList();
    }

    static boolean isInTree(Path directory) {
        return tree().map(tree -> directory.startsWith(tree.resolve(LLMS))).orElse(false);
    }

    /// @param asked `--workspace`; else `.npuflow` beside the root pom, or in the working directory
    public static Path workspace(Optional<Path> asked) {
        return asked.map(Path::toAbsolutePath)
                .orElseGet(() -> tree().filter(tree -> Files.isRegularFile(tree.resolve("pom.xml"))).orElse(Path.of("").toAbsolutePath())
                .resolve(".npuflow"))
                .normalize();
    }
}
