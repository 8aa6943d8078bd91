package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.npuflow.acceptance.DocumentedCommand.Run;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// How commands are found in a document.
class MarkdownTest {

    @Test
    void lines_of_a_shell_are_commands_without_their_comments_and_joined() {
        assertEquals(List.of("make demo", "npuflow generate x --prompt \"a # b\" -n 3"), texts("""
                ```sh
                make demo    # builds first

                npuflow generate x --prompt "a # b" \\
                    -n 3
                ```
                """));
    }

    @Test
    void a_command_in_a_sentence_is_one_if_it_says_more_than_a_name() {
        assertEquals(List.of("npuflow deploy MODEL", "make bench"), texts("Run `npuflow\ndeploy MODEL` or `make bench`; not `make`, `--json`, `deploy x` or `bin`."));
    }

    @Test
    void what_is_no_shell_holds_no_commands() {
        assertEquals(List.of(), texts("```text\nmake demo\n```\n\n```java\nmake demo\n```\n"));
    }

    @Test
    void an_indented_block_is_told_from_the_lines_of_a_list() {
        assertEquals(List.of("indented"), Markdown.parse("a", "- one\n\n    more of it\n\nText.\n\n    make demo\n").blocks().stream()
                .map(Markdown.Block::language).toList());
    }

    @Test
    void a_mark_speaks_of_the_block_or_the_paragraph_behind_it_and_of_no_other() {
        assertEquals(List.of(new Run.Slowly(), new Run.Always(), new Run.Never("needs it"), new Run.Always(), new Run.By("ThisTest")), runs("""
                <!-- slow -->
                ```sh
                make a
                ```

                Also `make b`.

                <!-- never make c: needs it -->

                See `make c`, `make d`.

                <!-- test: ThisTest -->
                And `make e`.
                """));
    }

    @Test
    void a_mark_before_the_title_speaks_of_the_whole_document() {
        assertEquals(List.of(new Run.By("ThisTest"), new Run.Slowly()), runs("<!-- test: ThisTest -->\n# Title\n\n`make a`\n\n<!-- slow -->\n`make b`\n"));
    }

    @ParameterizedTest @ValueSource(strings = {"never", "test", "never make", "slow: why"})
    void a_mark_without_what_it_must_say_is_refused(String mark) {
        assertThrows(IllegalArgumentException.class, () -> runs("<!-- " + mark + " -->\n`make a`\n"));
    }

    @ParameterizedTest @CsvSource(delimiter = '|', quoteCharacter = '`', value = {"make run PROMPT=\"And the\" | make,run,PROMPT=And the", "a 'b  $c' \"\" | a,b  $c,"})
    void words_are_what_a_shell_makes_of_them(String line, String words) {
        assertEquals(List.of(words.split(",", -1)), ShellWords.of(line).orElseThrow());
    }

    @ParameterizedTest @ValueSource(strings = {"a | b", "a && b", "x=$(a)", "a > b", "a \"$HOME\"", "a *.csv", "a; b"})
    void what_takes_a_shell_has_no_words(String line) {
        assertEquals(Optional.empty(), ShellWords.of(line));
    }

    private static List<String> texts(String document) {
        return DocumentedCommand.in(Markdown.parse("a", document)).stream().map(DocumentedCommand::text).toList();
    }

    private static List<Run> runs(String document) {
        return DocumentedCommand.in(Markdown.parse("a", document)).stream().map(DocumentedCommand::run).toList();
    }
}
