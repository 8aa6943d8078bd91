package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class JsonTokenizerTest {

    @TempDir Path directory;

    private static void assertEncodes(String id, String variant) {
        try (JsonTokenizer tokenizer = JsonTokenizer.open(Cases.file(id + "/" + variant + ".json"))) {
            JsonNode rows = Cases.expected(id).get(variant).get("encode");
            assertTrue(rows.size() > 0);
            for (JsonNode row : rows) {
                int[] expected = row.get("ids").valueStream().mapToInt(JsonNode::intValue).toArray();
                assertArrayEquals(expected, tokenizer.encode(row.get("text").stringValue()), row.get("text").stringValue());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rank_strings", "rank_pairs", "ties_leftmost", "pair_with_space_inside"})
    void merges_go_by_rank_in_both_spellings(String variant) {
        assertEncodes("a12", variant);
    }

    @Test void merges_that_cannot_be_used_are_refused_and_not_dropped() {
        NpuflowException refused = assertThrows(NpuflowException.class, () -> JsonTokenizer.open(Cases.file("a12/zero_usable_merges.json")));
        assertEquals("NPF-150", refused.id());
        assertTrue(refused.getMessage().contains("zero_usable_merges.json") && refused.getMessage().lines().count() == 1, refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"template_adds_bos", "no_post_processor", "sequence_wrapped"})
    void the_post_processor_alone_says_whether_a_bos_is_added(String variant) {
        assertEncodes("a14", variant);
    }

    @Test void text_that_spells_its_own_bos_gets_none_added_without_special_tokens() {
        try (JsonTokenizer tokenizer = JsonTokenizer.open(Cases.file("a14/template_adds_bos.json"))) {
            assertArrayEquals(new int[] {0, 2, 3, 4}, tokenizer.encode("<s>abc", false));
        }
    }

    @Test void a_long_text_is_not_cut_and_a_short_one_not_padded_whatever_the_file_asks_for() throws IOException {
        String json = Files.readString(Cases.file("a14/no_post_processor.json"));
        String cutting = json.replaceFirst("\"truncation\": null",
                "\"truncation\": {\"direction\": \"Right\", \"max_length\": 4, \"strategy\": \"LongestFirst\", \"stride\": 0}")
                .replaceFirst("\"padding\": null", "\"padding\": {\"strategy\": {\"Fixed\": 9}, \"direction\": \"Right\", \"pad_to_multiple_of\": null,"
                        + " \"pad_id\": 0, \"pad_type_id\": 0, \"pad_token\": \"<s>\"}");
        assertTrue(cutting.contains("max_length") && cutting.contains("pad_token"));
        try (JsonTokenizer tokenizer = JsonTokenizer.open(Files.writeString(directory.resolve("tokenizer.json"), cutting))) {
            assertEquals(3000, tokenizer.encode("abc".repeat(1000)).length);
            assertEquals(3, tokenizer.encode("abc").length);
        }
    }

    @Test void ids_beyond_the_vocabulary_decode_to_nothing_and_negative_ones_are_refused() {
        try (JsonTokenizer tokenizer = JsonTokenizer.open(Cases.file("a14/no_post_processor.json"))) {
            assertEquals("abc", tokenizer.decode(new int[] {2, 99_999, 3, 4}));
            assertEquals("", tokenizer.decode(new int[0]));
            assertEquals("NPF-153", assertThrows(NpuflowException.class, () -> tokenizer.decode(new int[] {-1})).id());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{}", "[]", "{\"model\": {\"type\": \"BPE\"}}", "<html>", "version https://git-lfs.github.com/spec/v1"})
    void something_else_under_this_name_is_refused_in_one_line(String text) throws IOException {
        Path file = Files.writeString(directory.resolve("tokenizer.json"), text);
        NpuflowException refused = assertThrows(NpuflowException.class, () -> JsonTokenizer.open(file));
        assertTrue(refused.getMessage().contains("tokenizer.json") && refused.getMessage().lines().count() == 1, refused.getMessage());
    }

    /// Each of these made the native library end the whole process.
    @ParameterizedTest
    @ValueSource(strings = {"\"decoder\": 1e999", "\"decoder\": \"\\ud800\"", "\"decoder\": [", "\"decoder\": %s", "\"decoder\": {\"type\" \"ByteLevel\"}"})
    void what_would_end_the_process_is_refused_before_the_library_sees_it(String decoder) throws IOException {
        String json = Files.readString(Cases.file("a14/template_adds_bos.json"));
        String nested = decoder.replace("%s", "[".repeat(200) + "]".repeat(200));
        Path file = Files.writeString(directory.resolve("tokenizer.json"), json.replaceFirst("\\{", Matcher.quoteReplacement("{" + nested + ",")));
        assertEquals("NPF-150", assertThrows(NpuflowException.class, () -> JsonTokenizer.open(file)).id());
        Path template = Files.writeString(directory.resolve("template.json"), json.replaceAll("\"id\": \"<s>\"", "\"id\": \"<t>\""));
        assertTrue(assertThrows(NpuflowException.class, () -> JsonTokenizer.open(template)).getMessage().contains("<t>"));
        Path wide = Files.write(directory.resolve("wide.json"), json.getBytes(StandardCharsets.UTF_16LE));
        assertEquals("NPF-150", assertThrows(NpuflowException.class, () -> JsonTokenizer.open(wide)).id());
    }

    @Test void bytes_of_any_script_come_back() {
        Path file = Path.of(System.getProperty("npuflow.root"), "programming_examples/llms/tiny_kjv/tokenizer.json");
        try (JsonTokenizer tokenizer = JsonTokenizer.open(file)) {
            String text = "naïve 水 😀 \t\n\u0000 end";
            assertEquals(text, tokenizer.decode(tokenizer.encode(text, false)));
        }
    }
}
