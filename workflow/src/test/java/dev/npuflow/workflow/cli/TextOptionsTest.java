package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.model.Cases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Text on a command line is text, whatever it looks like.
class TextOptionsTest {

    private static final Path MODEL = Cases.folder("e16/model");
    private static final Path NOTE = Cases.file("e16/note");

    private static List<Integer> ids(CommandRun run, String field) {
        assertEquals(0, run.exitCode(), run.err());
        return run.json().get(field).valueStream().map(JsonNode::intValue).toList();
    }

    private static List<Integer> tokenized(String... option) {
        return ids(CommandRun.of(Stream.concat(Stream.of("tokenize", MODEL.toString(), "--json"), Stream.of(option)).toArray(String[]::new)), "ids");
    }

    /// The tokenizer of the case has a token for each small letter, from 3 on, for a blank, a line feed and `!`, and nothing for other characters.
    private static List<Integer> byLetter(String text) {
        return text.chars().filter(c -> c >= 'a' && c <= 'z' || " \n!".indexOf(c) >= 0)
                .mapToObj(c -> c >= 'a' ? c - 'a' + 3 : 29 + " \n!".indexOf(c)).toList();
    }

    static Stream<JsonNode> commands() {
        return JsonMapper.shared().readTree(Cases.file("e16/cli.json").toFile()).valueStream();
    }

    @ParameterizedTest @MethodSource("commands") void the_commands_of_the_case_take_the_text_and_not_the_file(JsonNode given, @TempDir Path workspace) {
        String[] arguments = given.get("run").valueStream().map(JsonNode::stringValue)
                .map(word -> word.equals("model") ? MODEL.toString() : word.replace("FILES/e16/note", NOTE.toString())).toArray(String[]::new);
        if (arguments[0].equals("generate")) {
            arguments = Stream.concat(Stream.of(arguments), Stream.of("--workspace", workspace.toString())).toArray(String[]::new);
        }
        List<Integer> ids = ids(CommandRun.of(arguments), arguments[0].equals("generate") ? "prompt_ids" : "ids");
        assertNotEquals(byLetter("cd"), ids, "what the file holds");
    }

    @Test void a_text_that_begins_with_an_at_sign_is_taken_whole() {
        assertEquals(byLetter("@" + NOTE), tokenized("--text", "@" + NOTE));
        assertEquals(byLetter("@nothing there"), tokenized("--text", "@nothing there"));
    }

    @ParameterizedTest @ValueSource(strings = {"--json", "--help", "-h", "--text", "--ids=1", "--", "-x", "--nosuch", "", "#", "help me", "\"a b\"", "'", "$HOME"})
    void a_text_may_look_like_anything(String text) {
        assertEquals(byLetter(text), tokenized("--text", text));
        assertEquals(byLetter(text), tokenized("--text=" + text));
    }

    @Test void generate_takes_an_option_name_as_its_prompt(@TempDir Path workspace) {
        String[] before = {"generate", MODEL.toString(), "--workspace", workspace.toString(), "--engine", "reference", "-n", "1", "--prompt", "--json", "--json"};
        assertEquals(byLetter("--json"), ids(CommandRun.of(before), "prompt_ids"));
    }

    @Test void a_text_option_without_a_text_or_given_twice_is_refused() {
        assertEquals("NPF-801 --text without a value: expected a value; try npuflow tokenize --help", firstLine("tokenize", MODEL.toString(), "--text"));
        assertTrue(firstLine("tokenize", MODEL.toString(), "--text", "a", "--text", "b").contains("'--text' should be specified only once"));
        assertTrue(firstLine("tokenize", MODEL.toString(), "--text", "a", "--ids", "1").startsWith("NPF-807 --text and --ids: "));
        assertTrue(firstLine("tokenize", MODEL.toString()).startsWith("NPF-807 tokenize without --text and --ids: "));
        assertTrue(firstLine("generate", MODEL.toString(), "--prompt", "a", "--prompt", "b").contains("'--prompt' should be specified only once"));
    }

    @Test void another_option_takes_no_option_for_its_value(@TempDir Path folder) {
        assertEquals("NPF-801 --workspace without a value: expected a value; try npuflow profile --help",
                firstLine("profile", MODEL.toString(), "--workspace", "--json"));
        String misspelt = folder.resolve("x").toString().replace(folder.toString(), "--jsno");
        assertTrue(firstLine("profile", MODEL.toString(), "--workspace", misspelt).contains("Unknown option: '--jsno/x'"));
        assertFalse(Files.exists(Path.of(misspelt)));
    }

    private static String firstLine(String... arguments) {
        CommandRun run = CommandRun.of(arguments);
        assertEquals(2, run.exitCode(), run.err());
        return run.err().lines().findFirst().orElse("");
    }

    @Test void no_argument_is_replaced_by_what_a_file_holds(@TempDir Path folder) throws IOException {
        String file = "@" + Files.writeString(folder.resolve("arguments"), "--version");
        assertTrue(firstLine("inspect", file).startsWith("NPF-803 model (" + file + ")"));
        assertTrue(firstLine("estimate", MODEL.toString(), "--device", file).startsWith("NPF-300 "));
        assertTrue(firstLine(file).startsWith("NPF-801 "));
    }
}
