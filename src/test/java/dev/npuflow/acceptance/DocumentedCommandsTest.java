package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.acceptance.DocumentedCommand.Run;
import dev.npuflow.workflow.cli.NpuflowCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;

/// What README, CONTRIBUTING and `docs/` tell a reader to type works. `CONTRIBUTING.md` says how a document marks what `make test` does not run.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DocumentedCommandsTest {

    private static final Path ROOT = Path.of(System.getProperty("npuflow.root"));
    private static final Set<String> LANGUAGES = Set.of("sh", "text", "java", "xml", "yaml", "json");
    private static final Pattern SPAN = Pattern.compile("`([^`]+)`");
    private static final Pattern OPTION = Pattern.compile("(?<![\\w./-])--[a-z][a-z-]*");
    /// Options of other programs that the documents speak of.
    private static final Set<String> OF_OTHERS = Set.of();

    private final List<Markdown> documents = new ArrayList<>();
    private final List<DocumentedCommand> commands = new ArrayList<>();
    private Workshop workshop;

    @BeforeAll
    void read(@TempDir Path folder) throws IOException {
        workshop = new Workshop(folder);
        try (Stream<Path> files = Files.list(ROOT.resolve("docs"))) {
            for (String name : Stream.concat(Stream.of("README.md", "CONTRIBUTING.md"), files.filter(file -> file.toString().endsWith(".md")).sorted()
                    .map(file -> ROOT.relativize(file).toString())).toList()) {
                Markdown document = Markdown.read(ROOT, name);
                documents.add(document);
                commands.addAll(DocumentedCommand.in(document));
            }
        }
        assertTrue(commands.size() > 20, commands.toString());
    }

    @TestFactory
    Stream<DynamicTest> a_command_of_a_document_works() {
        return commands.stream().filter(command -> command.run() instanceof Run.Always)
                .map(command -> DynamicTest.dynamicTest(command.place() + " " + command.text(), () -> works(command)));
    }

    @Tag("slow")
    @TestFactory
    Stream<DynamicTest> a_slow_command_of_a_document_works() {
        return commands.stream().filter(command -> command.run() instanceof Run.Slowly)
                .map(command -> DynamicTest.dynamicTest(command.place() + " " + command.text(), () -> {
                    CommandRun run = workshop.shell(command.text());
                    assertEquals(0, run.exitCode(), command + "\n" + run.out());
                }));
    }

    private void works(DocumentedCommand command) throws Exception {
        List<String> words = ShellWords.of(command.text()).orElseThrow(() -> new AssertionError(command + ": it takes a shell: mark it as slow, or name the test that runs it"));
        assertTrue(Set.of("npuflow", "bin/npuflow").contains(words.getFirst()), command + ": no command of npuflow; mark it as slow, or name the test that runs it");
        if (!isMention(words)) {
            CommandRun run = workshop.run(words);
            assertEquals(0, run.exitCode(), command + "\n" + run.out() + run.err());
        }
    }

    @TestFactory
    Stream<DynamicTest> a_command_prints_what_a_document_shows_of_it() {
        return documents.stream().flatMap(document -> document.blocks().stream())
                .filter(block -> !DocumentedCommand.shownBy(block).orElse(CommittedDocumentsTest.DEMO).equals(CommittedDocumentsTest.DEMO))
                .map(block -> DynamicTest.dynamicTest(DocumentedCommand.shownBy(block).orElseThrow(), () -> {
                    CommandRun run = workshop.run(ShellWords.of(DocumentedCommand.shownBy(block).orElseThrow()).orElseThrow());
                    assertTrue(run.out().contains(String.join("\n", block.lines()) + "\n"), run.out());
                }));
    }

    /// The bare name of a command that needs a parameter: the document speaks of it and nobody would type it.
    private boolean isMention(List<String> words) {
        List<String> arguments = workshop.arguments(words);
        if (!workshop.spec(arguments).qualifiedName().equals("npuflow " + String.join(" ", arguments))) {
            return false;
        }
        try {
            workshop.npuflow().parseArgs(arguments.toArray(String[]::new));
            return false;
        } catch (MissingParameterException _) {
            return true;
        }
    }

    @Test
    void every_block_says_what_it_holds() {
        assertEquals(List.of(), documents.stream().flatMap(document -> document.blocks().stream().filter(block -> !LANGUAGES.contains(block.language()))
                .map(block -> document.name() + ":" + block.line() + " " + block.language())).toList());
    }

    @Test
    void no_command_hides_in_a_block_of_text() {
        assertEquals(List.of(), documents.stream().flatMap(document -> document.blocks().stream().filter(block -> block.language().equals("text"))
                .filter(block -> DocumentedCommand.shownBy(block).isEmpty())
                .flatMap(block -> block.lines().stream().filter(line -> line.startsWith("$ ") || DocumentedCommand.isProgram(line.split(" ")[0])))
                .map(line -> document.name() + ": " + line)).toList());
    }

    @Test
    void a_test_that_a_mark_names_is_there() {
        assertEquals(List.of(), commands.stream().filter(command -> command.run() instanceof Run.By(String test)
                && !Files.exists(ROOT.resolve("src/test/java/dev/npuflow/acceptance/" + test + ".java"))).toList());
    }

    @Test
    void every_mark_speaks_of_a_command() {
        for (Markdown document : documents) {
            List<DocumentedCommand> own = DocumentedCommand.in(document);
            long marks = document.parts().stream().flatMap(part -> part.marks().stream()).map(DocumentedCommand.Mark::of).flatMap(Optional::stream)
                    .filter(mark -> own.stream().noneMatch(command -> command.run().equals(mark.run()) && command.text().startsWith(mark.prefix()))).count();
            assertEquals(0, marks, document.name());
        }
    }

    @Test
    void a_command_that_is_named_without_npuflow_is_one_with_all_its_options() {
        List<String> wrong = new ArrayList<>();
        for (Markdown document : documents) {
            for (String span : spans(document)) {
                List<String> words = List.of(span.split(" "));
                CommandLine.Model.CommandSpec spec = workshop.spec(words);
                if (spec.parent() != null) {
                    words.stream().filter(word -> OPTION.matcher(word).matches() && spec.findOption(word) == null)
                            .forEach(word -> wrong.add("%s: `%s` has no %s".formatted(document.name(), span, word)));
                }
            }
        }
        assertEquals(List.of(), wrong);
    }

    @Test
    void every_option_that_a_document_names_is_one() {
        Set<String> known = new TreeSet<>(OF_OTHERS);
        options(NpuflowCommand.commandLine(), known);
        List<String> wrong = new ArrayList<>();
        for (Markdown document : documents) {
            for (String span : spans(document)) {
                OPTION.matcher(span).results().map(MatchResult::group).filter(option -> !known.contains(option))
                        .forEach(option -> wrong.add("%s: `%s`".formatted(document.name(), span)));
            }
        }
        assertEquals(List.of(), wrong);
    }

    private static List<String> spans(Markdown document) {
        return document.prose().stream().flatMap(prose -> SPAN.matcher(prose.text()).results()).map(span -> span.group(1).replaceAll("\\s+", " ")).toList();
    }

    private static void options(CommandLine command, Set<String> names) {
        command.getCommandSpec().options().forEach(option -> {
            names.addAll(List.of(option.names()));
            if (option.negatable()) {
                Stream.of(option.names()).map(name -> name.replaceFirst("^--", "--no-")).forEach(names::add);
            }
        });
        command.getSubcommands().values().forEach(sub -> options(sub, names));
    }
}
