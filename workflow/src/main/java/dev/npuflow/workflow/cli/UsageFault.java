package dev.npuflow.workflow.cli;

import dev.npuflow.fault.Fault;
import dev.npuflow.fault.OneLine;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/// NPF-801, an option or an argument that a command does not take, in the parts of a fault.
final class UsageFault {

    private static final String ID = "NPF-801";

    private UsageFault() {}

    static Fault of(ParameterException thrown) {
        String command = thrown.getCommandLine().getCommandSpec().qualifiedName();
        String help = command + " --help";
        return switch (thrown) {
            case UnmatchedArgumentException unknown when !unknown.getUnmatched().isEmpty() -> {
                String first = unknown.getUnmatched().getFirst();
                List<String> similar = unknown.getSuggestions();
                yield Fault.badInput(ID, first.startsWith("-") ? "option" : "argument", first, "the options and arguments of " + command,
                        similar.isEmpty() ? help : String.join(" or ", similar));
            }
            case MissingParameterException missing when !missing.getMissing().isEmpty() ->
                Fault.badInput(ID, missing.getMissing().stream().map(UsageFault::named).collect(Collectors.joining(", ")) + (line(missing).contains(" for option ")
                        ? " without a value" : " is missing"), "a value", help);
            default -> thrown.getArgSpec() == null || thrown.getValue() == null
                    ? Fault.badInput(ID, line(thrown), "options and arguments as its help lists them", help)
                    : Fault.badInput(ID, named(thrown.getArgSpec()), thrown.getValue(), expected(thrown.getArgSpec()), help);
        };
    }

    /// The first line of picocli's message.
    static String line(ParameterException thrown) {
        return String.valueOf(thrown.getMessage()).lines().findFirst().map(OneLine::of).orElse("usage");
    }

    private static String named(ArgSpec argument) {
        return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    }

    private static String expected(ArgSpec argument) {
        Class<?> type = argument.auxiliaryTypes()[argument.auxiliaryTypes().length - 1];
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants()).map(word -> word.toString().toLowerCase(Locale.ROOT)).collect(Collectors.joining(" or "));
        }
        if (argument.typeInfo().isMap()) {
            return argument.paramLabel();
        }
        if (type == Path.class) {
            return "a path";
        }
        return type == double.class || type == Double.class ? "a number" : type == int.class || type == Integer.class ? "a whole number" : argument.paramLabel();
    }
}
