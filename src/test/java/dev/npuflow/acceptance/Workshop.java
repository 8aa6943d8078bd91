package dev.npuflow.acceptance;

import dev.npuflow.workflow.cli.NpuflowCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import picocli.CommandLine;

/// Where the commands of the documents are run: the names in them that stand for something of the reader's are something here.
final class Workshop {

    private static final Path ROOT = Path.of(System.getProperty("npuflow.root"));
    /// Commands that write into the tree even with a workspace elsewhere.
    private static final Set<String> WRITE_INTO_THE_TREE = Set.of("new");
    private static final Set<String> NOT_SOURCES = Set.of(".git", ".npuflow", ".jdk");

    private final Path folder;
    private final CommandLine npuflow = NpuflowCommand.commandLine();
    private final Map<List<String>, CommandRun> runs = new HashMap<>();
    private final SequencedMap<String, String> standIns = new LinkedHashMap<>();

    Workshop(Path folder) throws IOException {
        this.folder = folder;
        Path model = Files.createDirectories(folder.resolve("models/SmolLM2-360M"));
        for (String file : List.of("config.json", "generation_config.json", "model.safetensors", "tokenizer.json")) {
            Files.copy(TinyKjv.directory().resolve(file), model.resolve(file));
        }
        standIns.put("~/models/SmolLM2-360M", model.toString());
        standIns.put("MODEL", "tiny_kjv");
        standIns.put("DIR", model.toString());
        standIns.put("COMMAND", "inspect");
        standIns.put("config.json", model.resolve("config.json").toString());
        for (String published : List.of("models.csv", "model_breakdown.csv")) {
            standIns.put(published, ROOT.resolve("src/test/resources/published").resolve(published).toString());
        }
        standIns.put("mine.yaml", folder.resolve("mine.yaml").toString());
    }

    /// The arguments of an npuflow command, with stand-ins.
    List<String> arguments(List<String> words) {
        return words.subList(1, words.size()).stream().map(word -> {
            Path inTree = ROOT.resolve(word);
            return standIns.getOrDefault(word, word.contains("/") && Files.exists(inTree) ? inTree.toString() : word);
        }).toList();
    }

    /// Runs npuflow in this process, once for the same arguments, with a workspace of its own so that no document of the tree changes.
    CommandRun run(List<String> words) throws IOException, InterruptedException {
        List<String> arguments = arguments(words);
        if (!runs.containsKey(arguments)) {
            runs.put(arguments, ran(new ArrayList<>(arguments)));
        }
        return runs.get(arguments);
    }

    private CommandRun ran(List<String> arguments) throws IOException, InterruptedException {
        if (WRITE_INTO_THE_TREE.contains(arguments.getFirst())) {
            return TreeCopy.in(Files.createTempDirectory(folder, "tree")).run(arguments.toArray(String[]::new));
        }
        if (spec(arguments).findOption("--workspace") != null) {
            arguments.addAll(List.of("--workspace", folder.resolve("workspace").toString()));
        }
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    /// To ask which commands and options there are; nothing is run by it.
    CommandLine npuflow() {
        return npuflow;
    }

    /// The command that the words name, as deep as they go.
    CommandLine.Model.CommandSpec spec(List<String> words) {
        CommandLine command = npuflow;
        for (String word : words) {
            if (!command.getSubcommands().containsKey(word)) {
                break;
            }
            command = command.getSubcommands().get(word);
        }
        return command.getCommandSpec();
    }

    /// Runs any command in a shell, in a copy of the whole tree.
    CommandRun shell(String command) throws IOException, InterruptedException {
        Path tree = folder.resolve("a whole tree");
        if (!Files.exists(tree)) {
            copyTree(tree);
            CommandRun build = started("make build", tree);
            if (build.exitCode() != 0) {
                throw new IOException(build.out());
            }
        }
        String line = command;
        for (Map.Entry<String, String> standIn : standIns.entrySet()) {
            line = line.replaceAll("(?<=[ =])" + standIn.getKey() + "(?= |$)", standIn.getValue());
        }
        return started(line, tree);
    }

    private static CommandRun started(String line, Path tree) throws IOException, InterruptedException {
        ProcessBuilder shell = new ProcessBuilder("sh", "-c", line).directory(tree.toFile()).redirectErrorStream(true);
        shell.environment().merge("PATH", tree.resolve("bin").toString(), (path, bin) -> bin + ":" + path);
        // What an outer make or Maven hands down is none of this one's business.
        shell.environment().keySet().removeIf(name -> name.matches("MAKE.*|MFLAGS|MAVEN_.*"));
        Process process = shell.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new CommandRun(process.waitFor(), out, "");
    }

    private static void copyTree(Path tree) throws IOException {
        Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {

            @Override public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) throws IOException {
                boolean built = directory.endsWith("target") && Files.exists(directory.resolveSibling("pom.xml"));
                if (built || NOT_SOURCES.contains(directory.getFileName().toString())) {
                    return FileVisitResult.SKIP_SUBTREE;
                }
                Files.createDirectories(tree.resolve(ROOT.relativize(directory)));
                return FileVisitResult.CONTINUE;
            }

            @Override public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.copy(file, tree.resolve(ROOT.relativize(file)));
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
