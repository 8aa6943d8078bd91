package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NearestName;
import dev.npuflow.fault.NpuflowException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `npuflow help`, `npuflow help sim timeline`, `npuflow sim help timeline`. picocli's own takes one command only.
@Command(name = "help", mixinStandardHelpOptions = true, description = "Tells what a command does and which options it has, as --help does.")
public final class HelpCommand implements Runnable {

    @Spec private CommandSpec spec;

    @Parameters(paramLabel = "COMMAND", arity = "0..*", description = "a command, and a command of it")
    private List<String> words = new ArrayList<>();

    @Override public void run() {
        CommandLine asked = spec.commandLine().getParent();
        for (String word : words) {
            CommandLine of = asked;
            asked = of.getSubcommands().entrySet().stream().filter(command -> command.getKey().equals(word)).map(Map.Entry::getValue).findFirst()
                    .orElseThrow(() -> unknown(word, of.getCommandSpec()));
        }
        asked.usage(spec.commandLine().getOut());
    }

    private static NpuflowException unknown(String word, CommandSpec of) {
        List<String> known = List.copyOf(of.subcommands().keySet());
        return NpuflowException.badInput("NPF-801", "command", word,
                known.isEmpty() ? "nothing after %s, which has no commands".formatted(of.qualifiedName()) : "one of " + String.join(", ", known),
                NearestName.of(word, known).map(near -> of.qualifiedName() + " help " + near).orElse(of.qualifiedName() + " --help"));
    }
}
