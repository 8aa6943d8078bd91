package dev.npuflow.acceptance;

import dev.npuflow.workflow.cli.NpuflowCommand;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/// One command as picocli knows it. All of them come from picocli's own tree, so that a test on all covers a new command too.
///
/// @param words such as `kernels`, `check`
record CommandTree(List<String> words, CommandSpec spec) {

    static List<CommandTree> all() {
        return below(List.of(), NpuflowCommand.commandLine()).toList();
    }

    private static Stream<CommandTree> below(List<String> words, CommandLine command) {
        return Stream.concat(Stream.of(new CommandTree(words, command.getCommandSpec())), command.getSubcommands().entrySet().stream()
                .flatMap(sub -> below(Stream.concat(words.stream(), Stream.of(sub.getKey())).toList(), sub.getValue())));
    }

    /// The command with a fitting value for everything that it requires, and a workspace where it takes one.
    List<String> fitting(Path model, Path workspace) {
        List<String> line = new ArrayList<>(words);
        spec.positionalParameters().stream().filter(argument -> argument.required() || argument.paramLabel().equals("MODEL")).forEach(parameter -> line.add(fitting(parameter, model, workspace)));
        spec.options().stream().filter(option -> option.required() || takesWorkspace(option)).forEach(option -> {
            line.add(option.longestName());
            line.add(fitting(option, model, workspace));
        });
        return List.copyOf(line);
    }

    /// The same, of a phase with one skill, which does not apply to the small model and so is soon done; of the gate's check with one control.
    List<String> brief(Path model, Path workspace) {
        if (!spec.optionsMap().containsKey("--only")) {
            return fitting(model, workspace);
        }
        String few = words.getLast().equals("gate-check") ? "linear, factor 2" : "opt-layout-alignment";
        return Stream.concat(fitting(model, workspace).stream(), Stream.of("--only", few)).toList();
    }

    private static boolean takesWorkspace(OptionSpec option) {
        return option.longestName().equals("--workspace");
    }

    private static String fitting(ArgSpec argument, Path model, Path workspace) {
        if (argument instanceof OptionSpec option && takesWorkspace(option)) {
            return workspace.toString();
        }
        return switch (argument.paramLabel()) {
            case "KERNEL" -> "gemv";
            case "RUN" -> "1";
            case "bash|zsh" -> "bash";
            case "NAME=EXTENT" -> "m=64,k=64";
            case "FILE" -> workspace.resolveSibling(workspace.getFileName() + ".yaml").toString();
            default -> model.toString();
        };
    }

    @Override public String toString() {
        return "npuflow " + String.join(" ", words);
    }
}
