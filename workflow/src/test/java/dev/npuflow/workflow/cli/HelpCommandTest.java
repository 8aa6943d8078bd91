package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class HelpCommandTest {

    static Stream<List<String>> commands() {
        return below(List.of(), NpuflowCommand.commandLine());
    }

    private static Stream<List<String>> below(List<String> words, CommandLine command) {
        return Stream.concat(Stream.of(words), command.getSubcommands().entrySet().stream()
                .flatMap(sub -> below(Stream.concat(words.stream(), Stream.of(sub.getKey())).toList(), sub.getValue())));
    }

    private static CommandRun run(Stream<String> words) {
        return CommandRun.of(words.toArray(String[]::new));
    }

    @ParameterizedTest @MethodSource("commands") void help_of_a_command_is_what_its_option_says(List<String> words) {
        CommandRun help = run(Stream.concat(Stream.of("help"), words.stream()));
        assertEquals(0, help.exitCode(), help.err());
        assertEquals(run(Stream.concat(words.stream(), Stream.of("--help"))).out(), help.out());
    }

    @Test void a_group_has_a_help_of_its_own() {
        assertEquals(CommandRun.of("kernels", "check", "--help").out(), CommandRun.of("kernels", "help", "check").out());
        assertEquals(CommandRun.of("kernels", "--help").out(), CommandRun.of("kernels", "help").out());
    }

    @Test void a_command_of_another_group_is_not_found() {
        assertEquals(2, CommandRun.of("kernels", "help", "timeline").exitCode());
        assertEquals("", CommandRun.of("kernels", "help", "timeline").out());
    }
}
