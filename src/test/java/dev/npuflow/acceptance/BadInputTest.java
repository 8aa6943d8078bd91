package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.npuflow.workflow.cli.NpuflowCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/// Whatever a user gives a command, it never answers with a defect of its own (NPF-899) or with a stack trace.
class BadInputTest {

    private static final CommandLine COMMANDS = NpuflowCommand.commandLine();

    @TempDir static Path folder;
    private static Path model;
    private static Path file;
    private static int next;

    /// The copy has the name of a model of the tree, so that `new` finds it taken and leaves the tree alone.
    @BeforeAll static void write() throws IOException {
        model = folder.resolve("tiny_kjv");
        SmallModel.copyTo(model);
        file = Files.writeString(folder.resolve("file"), "{\"neither\": [\"a model\", \"nor a workspace\"]}");
    }

    static List<CommandTree> commands() {
        return CommandTree.all();
    }

    private static Path fresh() {
        return folder.resolve("w" + next++);
    }

    /// What anybody might write where a value is asked for; a path below a file cannot be made, by no user.
    private static List<String> odd(ArgSpec argument) {
        Class<?> type = argument.auxiliaryTypes()[argument.auxiliaryTypes().length - 1];
        if (type == int.class || type == Integer.class) {
            return List.of("", "x", "-1", "0", "2147483647", "-2147483648", "99999999999", "1.5", "٣");
        }
        if (type == double.class || type == Double.class) {
            return List.of("", "x", "-1", "NaN", "Infinity", "-0", "1e400");
        }
        List<String> either = List.of("", " ", "\u0000", folder.toString(), file.toString(), file.resolve("x").toString(), "/dev/null");
        Stream<String> names = type == Path.class ? Stream.of("\u001b[31m\n", "é".repeat(3000)).map(name -> folder + "/" + name)
                : Stream.of("\u001b[31m\n", "é".repeat(3000), "=", "a=", "=b", "a=b", ",", "a,,a", "..", "'\"\\", "²");
        return Stream.concat(either.stream(), names).toList();
    }

    private static List<List<String>> lines(CommandTree command) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(command.words());
        lines.add(command.fitting(model, fresh()));
        List<String> fitting = quick(command);
        lines.add(with(fitting, "--no-such-option"));
        lines.add(with(fitting, "one", "argument", "more"));
        for (OptionSpec option : command.spec().options()) {
            String name = option.longestName();
            if (option.arity().max() == 0) {
                lines.add(with(command.fitting(model, fresh()), name));
            } else {
                lines.add(with(fitting, name));
                odd(option).forEach(value -> lines.add(with(without(fitting, name), name + "=" + value)));
            }
        }
        for (ArgSpec positional : command.spec().positionalParameters()) {
            int at = command.words().size();
            odd(positional).forEach(value -> lines.add(positional.required() ? replaced(fitting, at, value) : with(fitting, value)));
        }
        return lines;
    }

    /// A phase runs a whole deployment where a value is accepted; its dry run reads the same options, and so does a deployment that stops early.
    private static List<String> quick(CommandTree command) {
        List<String> fitting = command.fitting(model, fresh());
        List<String> dry = command.spec().optionsMap().containsKey("--dry-run") ? with(fitting, "--dry-run") : fitting;
        return command.spec().optionsMap().containsKey("--through") ? with(dry, "--through", "3") : dry;
    }

    private static List<String> with(List<String> line, String... more) {
        return Stream.concat(line.stream(), Stream.of(more)).toList();
    }

    private static List<String> replaced(List<String> line, int at, String value) {
        List<String> other = new ArrayList<>(line);
        other.set(at, value);
        return other;
    }

    private static List<String> without(List<String> line, String option) {
        List<String> other = new ArrayList<>(line);
        int at = other.indexOf(option);
        if (at >= 0) {
            other.subList(at, at + 2).clear();
        }
        return other;
    }

    private static Stream<String> complaints(List<String> line) {
        return CommandRun.of(COMMANDS, line.toArray(String[]::new)).complaints().stream().map(complaint -> shown(line) + " -> " + complaint);
    }

    private static String shown(List<String> line) {
        return String.join(" ", line.stream().map(word -> word.length() > 100 ? word.substring(0, 100) + "…" : word.replace("\u0000", "NUL")).toList());
    }

    /// Some three thousand command lines in two and a half minutes: `make docs-check` runs them, `make test` the odd models and workspaces.
    @Tag("slow") @ParameterizedTest(name = "{0}") @MethodSource("commands") void no_argument_is_answered_with_a_defect(CommandTree command) {
        assertEquals(List.of(), lines(command).stream().flatMap(BadInputTest::complaints).toList());
    }
}
