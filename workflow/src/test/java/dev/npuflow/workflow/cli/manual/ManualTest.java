package dev.npuflow.workflow.cli.manual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.npuflow.workflow.cli.NpuflowCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

class ManualTest {

    @TempDir Path folder;

    private static Stream<CommandSpec> commands(CommandLine command) {
        return Stream.concat(Stream.of(command.getCommandSpec()), command.getSubcommands().values().stream().flatMap(ManualTest::commands));
    }

    @Test void every_command_has_a_page_that_names_all_its_options_and_commands() {
        SortedMap<String, String> pages = Manual.pages(NpuflowCommand.commandLine());
        Set<String> expected = new TreeSet<>();
        commands(NpuflowCommand.commandLine()).forEach(command -> {
            String file = command.qualifiedName("-") + ".1";
            expected.add(file);
            Set<String> heads = pages.get(file).lines().filter(line -> line.startsWith("\\fB")).flatMap(line -> Stream.of(line.split(", | \\\\fI")))
                    .map(head -> head.replaceAll("\\\\f[BR]", "").replace("\\-", "-")).collect(Collectors.toSet());
            assertTrue(heads.containsAll(command.optionsMap().keySet()), file + " lacks some of " + command.optionsMap().keySet() + ": " + heads);
            assertTrue(heads.containsAll(command.negatedOptionsMap().keySet()), file);
            assertTrue(heads.containsAll(command.subcommands().keySet()), file);
        });
        assertEquals(expected, pages.keySet());
        assertTrue(expected.containsAll(Set.of("npuflow.1", "npuflow-sim-timeline.1", "npuflow-help.1")));
    }

    @Test void a_page_has_the_values_that_are_left_out_and_not_their_variables() {
        String page = Manual.pages(NpuflowCommand.commandLine()).get("npuflow-sim-timeline.1");
        assertTrue(page.contains("end of the window in microseconds (default: 20)"), page);
        assertTrue(page.contains("\\fBnpuflow sim timeline\\fR [\\fIOPTION\\fR]... \\fB\\-\\-shape\\fR \\fINAME=EXTENT\\fR \\fIKERNEL\\fR"), page);
        Manual.pages(NpuflowCommand.commandLine()).forEach((file, text) -> assertTrue(!text.contains("${"), file));
    }

    /// What roff would take for a macro, an escape or a dash.
    private static CommandLine odd() {
        CommandSpec odd = CommandSpec.create().name("odd").addOption(OptionSpec.builder("--odd").description("'starts with a quote, and `code` of ~5 µs").build());
        odd.usageMessage().description(".starts with a dot, has a \\back\\slash, a - and an ’");
        return new CommandLine(odd);
    }

    @Test void text_that_looks_like_roff_is_text() throws Exception {
        String page = Manual.pages(odd()).get("odd.1");
        assertTrue(page.contains("\n\\&.starts with a dot, has a \\eback\\eslash, a \\- and an \\[u2019]\n"), page);
        assertTrue(page.contains("\n\\(aqstarts with a quote, and \\(gacode\\(ga of \\(ti5 \\[u00B5]s\n"), page);
    }

    @Test void groff_formats_every_page_without_a_warning() throws Exception {
        Path groff = Path.of("/usr/bin/groff");
        assumeTrue(Files.isExecutable(groff));
        Manual.main(new String[] {folder.toString()});
        String[] command = Stream.concat(Stream.of(groff.toString(), "-man", "-ww", "-Tascii"), files()).toArray(String[]::new);
        Process process = new ProcessBuilder(command).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        assertEquals("", new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8));
        assertEquals(0, process.waitFor());
    }

    private Stream<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(Path::toString).sorted().toList().stream();
        }
    }
}
