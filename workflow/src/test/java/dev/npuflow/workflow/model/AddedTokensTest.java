package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The tokenizer of the cases knows 32 entries: 3 to 28 are a to z, 29 is a blank, 31 is `!`; `<s>`, `</s>` and `<unk>` (0 to 2) are added tokens.
class AddedTokensTest {

    private static final String CONFIG = "tokenizer_config.json";

    @TempDir Path directory;

    @BeforeEach void a_tokenizer() throws IOException {
        Files.copy(Cases.file("e06/added_token_only_in_tokenizer_config/tokenizer.json"), tokenizer());
    }

    private Path tokenizer() {
        return directory.resolve("tokenizer.json");
    }

    private void write(String file, String json) throws IOException {
        Files.writeString(directory.resolve(file), json);
    }

    private void decoder(String entries) throws IOException {
        write(CONFIG, "{\"added_tokens_decoder\": {%s}}".formatted(entries));
    }

    private void own(String entry) throws IOException {
        String json = Files.readString(tokenizer());
        Files.writeString(tokenizer(), json.replaceFirst("\"added_tokens\": \\[", "$0" + entry + ", "));
    }

    private int[] ids(String text) {
        try (JsonTokenizer tokenizer = JsonTokenizer.open(tokenizer())) {
            return tokenizer.encode(text);
        }
    }

    private String text(int... ids) {
        try (JsonTokenizer tokenizer = JsonTokenizer.open(tokenizer())) {
            return tokenizer.decode(ids);
        }
    }

    private NpuflowException refusal() {
        return assertThrows(NpuflowException.class, () -> ids("a"));
    }

    @Test void a_text_that_no_file_adds_is_no_token() {
        assertTrue(ids("<|turn|>").length > 1);
    }

    @ParameterizedTest @ValueSource(strings = {"the whole list", "an empty list", "no list"})
    void a_token_of_tokenizer_config_is_read_whatever_list_tokenizer_json_has(String list) throws IOException {
        String json = Files.readString(tokenizer());
        String entries = "\"added_tokens\": \\[.*?\\], ";
        Files.writeString(tokenizer(), switch (list) {
            case "an empty list" -> json.replaceFirst(entries, "\"added_tokens\": [ ], ");
            case "no list" -> json.replaceFirst(entries, "");
            default -> json;
        });
        decoder("\"32\": {\"content\": \"<|turn \\u00e9\\\"|>\", \"special\": true}, \"33\": {\"content\": \"<|t|>\"}");
        assertArrayEquals(new int[] {3, 32, 33, 4}, ids("a<|turn é\"|><|t|>b"));
        assertEquals("a<|t|>b", text(3, 32, 33, 4), "a special token is left out of a text, another is not");
    }

    @Test void the_token_says_whether_white_space_beside_it_goes_with_it() throws IOException {
        decoder("\"32\": {\"content\": \"<l>\", \"lstrip\": true}, \"33\": {\"content\": \"<r>\", \"rstrip\": true},"
                + "\"34\": {\"content\": \"<w>\", \"single_word\": true}");
        assertArrayEquals(new int[] {3, 32, 29, 4}, ids("a <l> b"));
        assertArrayEquals(new int[] {3, 29, 33, 4}, ids("a <r> b"));
        assertArrayEquals(new int[] {3, 29, 34, 29, 4}, ids("a <w> b"));
        assertArrayEquals(new int[] {3, 25, 4}, ids("a<w>b"), "letters touch it, and the vocabulary has no angle brackets");
    }

    @Test void flags_of_tokenizer_config_count_before_those_of_tokenizer_json() throws IOException {
        own("{\"id\": 32, \"content\": \"<|turn|>\", \"single_word\": false, \"lstrip\": false, \"rstrip\": false, \"normalized\": false, \"special\": false}");
        assertArrayEquals(new int[] {3, 29, 32, 4}, ids("a <|turn|>b"));
        assertEquals("a<|turn|>", text(3, 32));
        decoder("\"32\": {\"content\": \"<|turn|>\", \"lstrip\": true, \"special\": true}");
        assertArrayEquals(new int[] {3, 32, 4}, ids("a <|turn|>b"));
        assertEquals("a", text(3, 32));
    }

    @Test void a_token_that_tokenizer_json_calls_special_stays_special() throws IOException {
        decoder("\"1\": {\"content\": \"</s>\", \"special\": false}");
        assertEquals("a", text(3, 1));
    }

    @Test void a_token_that_a_file_names_as_special_is_left_out_of_a_text() throws IOException {
        assertEquals("a!", text(3, 31));
        write(CONFIG, "{\"eos_token\": \"!\", \"pad_token\": null, \"additional_special_tokens\": [{\"content\": \"<|x|>\"}]}");
        assertEquals("a", text(3, 31));
        assertArrayEquals(new int[] {3, 31, 32}, ids("a!<|x|>"));
        write(CONFIG, "{\"added_tokens_decoder\": {\"32\": {\"content\": \"<|turn|>\", \"special\": false}}, \"eos_token\": \"<|turn|>\"}");
        assertEquals("a!", text(3, 32, 31));
    }

    @Test void older_files_count_only_without_added_tokens_decoder() throws IOException {
        write("added_tokens.json", "{\"<|turn|>\": 33, \"<|old|>\": 32}");
        write("special_tokens_map.json", "{\"eos_token\": {\"content\": \"<|turn|>\"}}");
        assertArrayEquals(new int[] {3, 32, 33}, ids("a<|old|><|turn|>"));
        assertEquals("a<|old|>", text(3, 32, 33));
        decoder("\"32\": {\"content\": \"<|turn|>\"}");
        assertArrayEquals(new int[] {3, 32}, ids("a<|turn|>"));
        assertEquals("a<|turn|>", text(3, 32));
        assertTrue(ids("<|old|>").length > 1);
    }

    @Test void an_id_of_an_older_file_keeps_the_flags_that_tokenizer_json_gives_its_token() throws IOException {
        own("{\"id\": 32, \"content\": \"<|turn|>\", \"single_word\": false, \"lstrip\": true, \"rstrip\": false, \"normalized\": false, \"special\": false}");
        write("added_tokens.json", "{\"<|turn|>\": 32}");
        assertArrayEquals(new int[] {3, 32, 4}, ids("a <|turn|>b"));
    }

    @ParameterizedTest @CsvSource(delimiter = '|', quoteCharacter = '^', value = {
        "'5': {'content': '<x>'} | <x> (5): expected 32",
        "'40': {'content': '<x>'} | <x> (40): expected 32",
        "'32': {'content': '<x>'}, '33': {'content': '<x>'} | <x> (33): expected 32",
        "'2': {'content': '<x>'} | <x> (2): expected another id, for this one is that of <unk>",
        "'32': {'content': '<s>'} | <s> (32): expected 0",
        "'32': {'content': 'c'} | c (32): expected 5"})
    void an_id_that_two_places_give_differently_is_refused_with_token_and_id(String entries, String told) throws IOException {
        decoder(entries.replace('\'', '"'));
        NpuflowException refused = refusal();
        assertEquals("NPF-155", refused.id());
        assertTrue(refused.getMessage().startsWith("NPF-155 tokenizer_config.json: id of token " + told), refused.getMessage());
        assertTrue(refused.getMessage().endsWith("; try the tokenizer's files as they were published together"), refused.getMessage());
    }

    @Test void two_tokens_of_one_id_in_an_older_file_are_refused() throws IOException {
        write("added_tokens.json", "{\"<x>\": 32, \"<y>\": 32}");
        assertTrue(refusal().getMessage().startsWith("NPF-155 added_tokens.json: id of token <y> (32): expected another id, for this one is that of <x>"),
                refusal().getMessage());
    }

    @ParameterizedTest @CsvSource(delimiter = '|', quoteCharacter = '^', value = {
        "tokenizer_config.json | [] | NPF-103",
        "tokenizer_config.json | {'added_tokens_decoder': 3} | NPF-105",
        "tokenizer_config.json | {'added_tokens_decoder': {'x': {'content': '<x>'}}} | NPF-105",
        "tokenizer_config.json | {'added_tokens_decoder': {'-1': {'content': '<x>'}}} | NPF-105",
        "tokenizer_config.json | {'added_tokens_decoder': {'32': {}}} | NPF-104",
        "tokenizer_config.json | {'added_tokens_decoder': {'32': '<x>'}} | NPF-105",
        "tokenizer_config.json | {'added_tokens_decoder': {'32': {'content': '\\ud800'}}} | NPF-105",
        "tokenizer_config.json | {'eos_token': 7} | NPF-105",
        "added_tokens.json | {'<x>': '32'} | NPF-105",
        "added_tokens.json | {'<x>': -1} | NPF-105",
        "special_tokens_map.json | {'eos_token': ['</s>']} | NPF-105"})
    void what_is_no_list_of_tokens_is_refused_with_the_files_name(String file, String json, String id) throws IOException {
        write(file, json.replace('\'', '"'));
        assertEquals(id, refusal().id());
        assertTrue(refusal().getMessage().contains(file), refusal().getMessage());
    }

    @ParameterizedTest @ValueSource(strings = {CONFIG, "added_tokens.json", "special_tokens_map.json"})
    void a_broken_link_is_refused_by_whatever_opens_or_inspects_the_model(String file) throws IOException {
        Files.copy(Cases.file("e10/whole/config.json"), directory.resolve("config.json"));
        Files.createSymbolicLink(directory.resolve(file), Path.of("../../blobs/0000000000000000"));
        assertEquals("NPF-108", refusal().id());
        assertTrue(refusal().getMessage().contains(file), refusal().getMessage());
        assertEquals("NPF-108", assertThrows(NpuflowException.class, () -> ModelInspection.of(directory)).id());
    }

    @Test void a_file_too_large_to_be_a_configuration_is_not_read() throws IOException {
        write(CONFIG, " ".repeat((16 << 20) + 1));
        assertEquals("NPF-102", refusal().id());
    }
}
