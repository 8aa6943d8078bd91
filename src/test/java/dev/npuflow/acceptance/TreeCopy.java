package dev.npuflow.acceptance;

import dev.npuflow.workflow.cli.Main;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The models of the tree and the index of their documents, somewhere else: commands that are started in it write there.
record TreeCopy(Path root) {

    private static final Path TREE = Path.of(System.getProperty("npuflow.root"));
    private static final Path LLMS = Path.of("programming_examples", "llms");

    static TreeCopy in(Path root) throws IOException {
        for (Path part : List.of(LLMS, Path.of("docs", "development_progress"))) {
            try (Stream<Path> files = Files.walk(TREE.resolve(part))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Path target = root.resolve(TREE.relativize(file));
                    Files.createDirectories(target.getParent());
                    Files.copy(file, target);
                }
            }
        }
        Files.createFile(root.resolve("pom.xml"));
        return new TreeCopy(root);
    }

    Path model(String name) {
        return root.resolve(LLMS).resolve(name);
    }

    List<Path> models() throws IOException {
        try (Stream<Path> entries = Files.list(root.resolve(LLMS))) {
            return entries.filter(Files::isDirectory).sorted().toList();
        }
    }

    /// A process of its own, since a process has one working directory.
    Process start(String... arguments) throws IOException {
        return builder(System.getProperty("java.class.path"), arguments).redirectErrorStream(true).start();
    }

    /// One whose standard error stands by itself.
    Process startAside(String... arguments) throws IOException {
        return builder(System.getProperty("java.class.path"), arguments).start();
    }

    /// One that knows no class of the tests.
    Process startWithoutTests(String... arguments) throws IOException {
        return builder(withoutTests(), arguments).redirectErrorStream(true).start();
    }

    /// As [#startWithoutTests(String...)], its standard error in a file.
    Process startWithoutTests(Path err, String... arguments) throws IOException {
        return builder(withoutTests(), arguments).redirectError(err.toFile()).start();
    }

    private static String withoutTests() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator)).filter(entry -> !entry.endsWith("test-classes"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    private ProcessBuilder builder(String classPath, String... arguments) {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "--add-modules", "jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED", "-cp", classPath, Main.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).directory(root.toFile());
    }

    CommandRun run(String... arguments) throws IOException, InterruptedException {
        Process process = start(arguments);
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new CommandRun(process.waitFor(), out, "");
    }

    /// Every document and picture by its path, without the one with wall-clock times.
    SortedMap<String, String> documents() throws IOException {
        SortedMap<String, String> documents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(path -> path.toString().matches(".*\\.(md|svg)") && !path.startsWith(root.resolve(".npuflow"))).toList()) {
                if (!file.endsWith("phase_timing.md")) {
                    documents.put(root.relativize(file).toString(), Files.readString(file));
                }
            }
        }
        return documents;
    }
}
