package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class VocabularyTest {

    private static final Vocabulary OF_32 = new Vocabulary(32);

    private static String refusal(String id, Executable asked) {
        NpuflowException refused = assertThrows(NpuflowException.class, asked);
        assertEquals(id, refused.id(), refused.getMessage());
        return refused.getMessage();
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    @Test void the_first_and_the_last_row_are_ids() {
        assertArrayEquals(new int[] {0, 31}, OF_32.require("--ids", 0, 31));
        assertArrayEquals(new int[] {0, 31}, OF_32.ofText("--prompt", 0, 31));
        assertArrayEquals(new int[] {0, 31, 7}, OF_32.parse("--ids", List.of("0", " 31 ", "+007")));
        assertArrayEquals(new int[] {0, 31}, OF_32.of("prompts.ids.json, prompt 1", json("[0, 31]")));
    }

    @Test void an_id_without_a_row_is_named_with_its_source_and_the_range() {
        String told = refusal("NPF-154", () -> OF_32.ofText("prompts.txt, prompt 2", 3, 32));
        assertTrue(told.startsWith("NPF-154 prompts.txt, prompt 2: token id (32): expected 0 to 31, "), told);
        assertTrue(told.contains("try the tokenizer.json that belongs to these weights"), told);
        assertTrue(refusal("NPF-154", () -> OF_32.require("--ids", 3, -1)).contains("token id (-1): expected 0 to 31"));
    }

    @ParameterizedTest @ValueSource(strings = {"32", "-1", "99999999999", "-99999999999", "170141183460469231731687303715884105728"})
    void an_id_is_named_as_it_was_written_however_large(String id) {
        assertTrue(refusal("NPF-154", () -> OF_32.parse("--ids", List.of("3", id))).contains("--ids: token id (" + id + "): expected 0 to 31"));
        assertTrue(refusal("NPF-154", () -> OF_32.of("model.yaml", json("[3, %s]".formatted(id)))).contains("model.yaml: token id (" + id + "): expected"));
    }

    @ParameterizedTest @ValueSource(strings = {"", " ", "x", "1.5", "1e1", "0x10", "٣", "1 2"})
    void what_is_no_integer_is_no_id_on_a_command_line(String text) {
        refusal("NPF-809", () -> OF_32.parse("--ids", List.of("3", text)));
    }

    @ParameterizedTest @ValueSource(strings = {"[]", "{}", "3", "\"3\"", "[\"3\"]", "[1.5]", "[null]", "[true]", "[[3]]"})
    void what_is_no_array_of_integers_is_no_prompt_in_a_file(String text) {
        refusal("NPF-184", () -> OF_32.of("model.yaml", json(text)));
    }

    @Test void no_ids_are_no_prompt() {
        assertTrue(refusal("NPF-503", () -> OF_32.ofText("--prompt")).startsWith("NPF-503 --prompt (no ids)"));
        refusal("NPF-503", () -> OF_32.require("the prompt"));
    }
}
