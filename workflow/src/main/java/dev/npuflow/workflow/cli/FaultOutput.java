package dev.npuflow.workflow.cli;

import dev.npuflow.fault.Fault;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/// Where a fault is told: as one line on standard error, and to who asked for JSON as an object on standard output too.
///
/// @param json whether the command was given `--json`
record FaultOutput(PrintWriter out, PrintWriter err, boolean json) {

    private static final String JSON = "--json";

    /// @param arguments of the whole command line; they may be such that they cannot be parsed
    static FaultOutput of(CommandLine command, List<String> arguments) {
        CommandLine root = command;
        while (root.getParent() != null) {
            root = root.getParent();
        }
        Set<String> textOptions = textOptions(root.getCommandSpec()).collect(Collectors.toUnmodifiableSet());
        return new FaultOutput(command.getOut(), command.getErr(), asksForJson(arguments, textOptions));
    }

    private static Stream<String> textOptions(CommandSpec command) {
        return Stream.concat(command.options().stream().filter(option -> option.parameterConsumer() instanceof AnyText)
                        .flatMap(option -> Stream.of(option.names())),
                command.subcommands().values().stream().flatMap(sub -> textOptions(sub.getCommandSpec())));
    }

    /// A text may be `--json` and asks for none.
    private static boolean asksForJson(List<String> arguments, Set<String> textOptions) {
        for (int i = 0; i < arguments.size() && !arguments.get(i).equals("--"); i++) {
            if (textOptions.contains(arguments.get(i))) {
                i++;
            } else if (arguments.get(i).equals(JSON)) {
                return true;
            }
        }
        return false;
    }

    void tell(Fault fault) {
        err.println(fault.line());
        if (json) {
            Map<String, Object> parts = new LinkedHashMap<>();
            parts.put("id", fault.id());
            parts.put("what", fault.what());
            parts.put("value", fault.value());
            parts.put("expected", fault.expected());
            parts.put("try", fault.remedy());
            JsonOutput.print(out, Map.of("error", parts));
        }
    }
}
