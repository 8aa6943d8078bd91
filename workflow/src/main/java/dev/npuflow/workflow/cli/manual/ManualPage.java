package dev.npuflow.workflow.cli.manual;

import static dev.npuflow.workflow.cli.manual.Roff.bold;
import static dev.npuflow.workflow.cli.manual.Roff.italic;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/// The manual page of one command, section 1.
final class ManualPage {

    private static final String SECTION = "1";

    private final CommandSpec command;
    private final Roff page = new Roff();

    private ManualPage(CommandSpec command) {
        this.command = command;
    }

    /// Such as `npuflow-sim-timeline`.
    static String name(CommandSpec command) {
        return command.qualifiedName("-");
    }

    static String fileName(CommandSpec command) {
        return name(command) + "." + SECTION;
    }

    static String of(CommandSpec command) {
        return new ManualPage(command).made();
    }

    private String made() {
        page.macro("TH", name(command).toUpperCase(Locale.ROOT), SECTION, "", command.root().name(), "npuflow");
        page.macro("SH", "NAME").text("%s - %s".formatted(name(command), String.join(" ", command.usageMessage().description())));
        page.macro("SH", "SYNOPSIS").line(synopsis());
        page.macro("SH", "DESCRIPTION").text(String.join(" ", command.usageMessage().description()));
        section("ARGUMENTS", command.positionalParameters(), parameter -> bold(parameter.paramLabel()));
        section("OPTIONS", command.options().stream().sorted(Comparator.comparing(OptionSpec::longestName)).toList(), ManualPage::names);
        commands();
        String footer = Stream.of(command.usageMessage().footer()).filter(line -> !line.isBlank()).collect(Collectors.joining("\n"));
        if (!footer.isEmpty()) {
            page.macro("SH", "NOTES");
            footer.lines().forEach(line -> page.macro("PP").text(line));
        }
        List<String> others = Stream.concat(Stream.ofNullable(command.parent()), command.subcommands().values().stream().map(sub -> sub.getCommandSpec()))
                .map(other -> bold(name(other)) + "(" + SECTION + ")").toList();
        page.macro("SH", "SEE ALSO").line(String.join(", ", others));
        return page.toString();
    }

    private String synopsis() {
        Stream<String> required = command.options().stream().filter(ArgSpec::required).map(ManualPage::names);
        Stream<String> parameters = command.positionalParameters().stream().map(ManualPage::parameter);
        return Stream.of(Stream.of(bold(command.qualifiedName()), "[" + italic("OPTION") + "]..."), required, parameters,
                command.subcommands().isEmpty() ? Stream.<String>of() : Stream.of(italic("COMMAND"))).flatMap(each -> each).collect(Collectors.joining(" "));
    }

    private static String parameter(PositionalParamSpec parameter) {
        String label = italic(parameter.paramLabel()) + (parameter.arity().max() > 1 || parameter.isMultiValue() ? "..." : "");
        return parameter.arity().min() > 0 ? label : "[" + label + "]";
    }

    /// All names of an option, the negated ones too, and its value.
    private static String names(OptionSpec option) {
        Stream<String> negated = option.negatable() ? Arrays.stream(option.names()).filter(name -> name.startsWith("--")).map(name -> "--no-" + name.substring(2))
                : Stream.of();
        return Stream.concat(Arrays.stream(option.names()), negated).map(Roff::bold).collect(Collectors.joining(", "))
                + (option.arity().max() == 0 ? "" : " " + italic(option.paramLabel()));
    }

    private <T extends ArgSpec> void section(String title, List<T> arguments, Function<T, String> head) {
        if (!arguments.isEmpty()) {
            page.macro("SH", title);
            arguments.forEach(argument -> page.macro("TP").line(head.apply(argument)).text(String.join(" ", argument.description())));
        }
    }

    private void commands() {
        if (!command.subcommands().isEmpty()) {
            page.macro("SH", "COMMANDS");
            command.subcommands().forEach((name, sub) -> page.macro("TP").line(bold(name))
                    .text(String.join(" ", sub.getCommandSpec().usageMessage().description())));
        }
    }
}
