package dev.npuflow.workflow.cli;

import java.util.Stack;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.OverwrittenOptionException;

/// Takes what follows an option as its text, whatever it is: `--text --json` asks for the text `--json`.
final class AnyText implements IParameterConsumer {

    @Override public void consumeParameters(Stack<String> arguments, ArgSpec option, CommandSpec command) {
        String name = ((OptionSpec) option).longestName();
        if (arguments.isEmpty()) {
            throw new MissingParameterException(command.commandLine(), option, "Missing required parameter for option '%s'".formatted(name));
        }
        if (option.getValue() != null) {
            throw new OverwrittenOptionException(command.commandLine(), option, "option '%s' should be specified only once".formatted(name));
        }
        option.setValue(arguments.pop());
    }
}
