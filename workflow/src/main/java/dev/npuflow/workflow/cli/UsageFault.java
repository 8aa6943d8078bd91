package dev.npuflow.workflow.cli;

import dev.npuflow.fault.Fault;
import dev.npuflow.fault.NearestName;
import dev.npuflow.fault.OneLine;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
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
            case UnmatchedArgumentException unknown when !unknown.getUnmatched().isEmpty() ->
                unmatched(unknown.getUnmatched().getFirst(), unknown.getCommandLine().getCommandSpec());
            case MissingParameterException missing when !missing.getMissing().isEmpty() ->
                Fault.badInput(ID, missing.getMissing().stream().map(UsageFault::named).collect(Collectors.joining(", ")) + (line(missing).contains(" for option ")
                        ? " without a value" : " is missing"), "a value", help);
            default -> thrown.getArgSpec() == null || thrown.getValue() == null
                    ? Fault.badInput(ID, line(thrown), "options and arguments as its help lists them", help)
                    : Fault.badInput(ID, named(thrown.getArgSpec()), thrown.getValue(), expected(thrown.getArgSpec()),
                            NearestName.of(thrown.getValue(), words(thrown.getArgSpec())).map(word -> given(thrown.getArgSpec(), word)).orElse(help));
        };
    }

    /// @param first of the arguments that the command does not take
    private static Fault unmatched(String first, CommandSpec command) {
        boolean option = first.startsWith("-");
        Set<String> known = new LinkedHashSet<>(option ? command.optionsMap().keySet() : command.subcommands().keySet());
        if (option) {
            known.addAll(command.negatedOptionsMap().keySet());
        }
        return Fault.badInput(ID, option ? "option" : known.isEmpty() ? "argument" : "command", first,
                option || known.isEmpty() ? "the options and arguments of " + command.qualifiedName() : "one of " + String.join(", ", known),
                NearestName.of(first, known).orElse(command.qualifiedName() + " --help"));
    }

    private static String given(ArgSpec argument, String word) {
        return argument instanceof OptionSpec option ? option.longestName() + " " + word : word;
    }

    /// The words that an argument is one of, as help writes them; none where it is no such argument.
    private static List<String> words(ArgSpec argument) {
        Class<?> type = argument.auxiliaryTypes()[argument.auxiliaryTypes().length - 1];
        return type.isEnum() ? Arrays.stream(type.getEnumConstants()).map(word -> word.toString().toLowerCase(Locale.ROOT)).toList() : List.of();
    }

    /// The first line of picocli's message.
    private static String line(ParameterException thrown) {
        return String.valueOf(thrown.getMessage()).lines().findFirst().map(OneLine::of).orElse("usage");
    }

    private static String named(ArgSpec argument) {
        return argument instanceof OptionSpec option ? option.longestName() : argument.paramLabel();
    }

    private static String expected(ArgSpec argument) {
        if (!words(argument).isEmpty()) {
            return String.join(" or ", words(argument));
        }
        Class<?> type = argument.auxiliaryTypes()[argument.auxiliaryTypes().length - 1];
        if (argument.typeInfo().isMap()) {
            return argument.paramLabel();
        }
        if (type == Path.class) {
            return "a path";
        }
        return type == double.class || type == Double.class ? "a number" : type == int.class || type == Integer.class ? "a whole number" : argument.paramLabel();
    }
}
