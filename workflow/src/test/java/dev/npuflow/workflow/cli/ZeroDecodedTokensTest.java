package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.model.Cases;
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

/// A run that decodes nothing has no time per token.
class ZeroDecodedTokensTest {

    private static final String PROMPT = "3,10,5,22,14,3,9";
    private static final List<String> PER_TOKEN = List.of("ms_per_token", "tokens_per_s", "xrt_calls_per_token");

    @TempDir static Path workspace;

    private static CommandRun profile(String model, String... more) {
        CommandRun run = CommandRun.of(Stream.concat(Stream.of("profile", Cases.folder(model).toString(), "--workspace", workspace.toString()), Stream.of(more))
                .toArray(String[]::new));
        assertEquals(0, run.exitCode(), run.err());
        return run;
    }

    private static List<Integer> ids(JsonNode profile) {
        return profile.get("ids").valueStream().map(JsonNode::intValue).toList();
    }

    private static List<Integer> firstTokens() {
        return Cases.expected("e15").get("first").valueStream().map(JsonNode::intValue).toList();
    }

    static Stream<JsonNode> commands() {
        return JsonMapper.shared().readTree(Cases.file("e15/cli.json").toFile()).valueStream();
    }

    @ParameterizedTest @MethodSource("commands") void the_commands_of_the_case_say_null(JsonNode given) {
        List<String> words = given.get("run").valueStream().map(JsonNode::stringValue).toList();
        JsonNode json = profile("e15/" + words.get(1), words.subList(2, words.size()).toArray(String[]::new)).json();
        assertTrue(json.get(given.get("field").stringValue()).isNull(), json::toString);
    }

    @ParameterizedTest @ValueSource(strings = {"e15/normal -n 0", "e15/every_id_is_eos -n 4"}) void every_figure_a_token_is_null_and_the_others_are_numbers(String run) {
        String[] words = run.split(" ");
        JsonNode json = profile(words[0], words[1], words[2], "--ids", PROMPT, "--json").json();
        assertEquals(firstTokens().subList(0, 1), ids(json));
        PER_TOKEN.forEach(field -> assertTrue(json.get(field).isNull(), field));
        assertTrue(json.get("ttft_s").doubleValue() > 0);
        assertEquals(0, json.get("decoded_tokens").intValue());
        assertFalse(json.toString().contains("NaN") || json.toString().contains("Infinity"), json::toString);
    }

    @Test void one_decoded_token_has_a_time() {
        JsonNode json = profile("e15/normal", "-n", "1", "--ids", PROMPT, "--json").json();
        assertEquals(firstTokens(), ids(json));
        PER_TOKEN.forEach(field -> assertTrue(json.get(field).doubleValue() > 0, field));
    }

    @Test void the_text_says_so_in_words() {
        String text = profile("e15/every_id_is_eos", "-n", "4", "--ids", PROMPT).out();
        assertTrue(text.contains("No token was decoded after the first: there is no time per token."), text);
        assertFalse(Stream.of("Tokens/second", "Time/token", "NaN", "Infinity", "DECODE").anyMatch(text::contains), text);
        assertFalse(profile("e15/normal", "-n", "1", "--ids", PROMPT).out().contains("No token was decoded"));
    }
}
