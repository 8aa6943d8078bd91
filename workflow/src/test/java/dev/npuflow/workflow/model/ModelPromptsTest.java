package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelPromptsTest {

    @TempDir Path folder;

    private String source() {
        return ModelPrompts.read(folder, new Vocabulary(100), ModelPrompts.VERIFY, Optional.empty()).gateSource();
    }

    @Test void where_the_prompts_of_the_gate_come_from_is_what_was_read_and_not_a_convention() throws Exception {
        assertEquals(ModelPrompts.OWN_PROMPTS, source());
        Files.writeString(folder.resolve("prompts.ids.json"), "[[1]]");
        assertEquals("prompts.ids.json", source());
        Files.createDirectory(folder.resolve("gate"));
        Files.writeString(folder.resolve("gate/mine.json"), "[[2]]");
        Files.writeString(folder.resolve("model.yaml"), "prompts: ./gate/mine.json\n");
        assertEquals("gate/mine.json", source());
    }

    @Test void a_file_that_is_no_yaml_or_no_json_is_told_in_words_for_people() throws Exception {
        Files.writeString(folder.resolve("model.yaml"), "name: toy\nprompts: [1\n");
        String yaml = assertThrows(NpuflowException.class, this::source).getMessage();
        assertTrue(yaml.matches("NPF-185 model.yaml \\(an unexpected character or word, line \\d, column \\d+\\): expected YAML with one key a line; try .*"), yaml);
        Files.delete(folder.resolve("model.yaml"));
        Files.writeString(folder.resolve("prompts.ids.json"), "[[1],\n [2");
        String json = assertThrows(NpuflowException.class, this::source).getMessage();
        assertTrue(json.startsWith("NPF-183 prompts.ids.json (it ends too early, line 2, column "), json);
    }

    private String refusal(String id) {
        NpuflowException refused = assertThrows(NpuflowException.class, this::source);
        assertEquals(id, refused.id(), refused.getMessage());
        return refused.getMessage();
    }

    @Test void an_id_beyond_the_vocabulary_is_named_with_its_file_and_prompt() throws Exception {
        Files.writeString(folder.resolve("prompts.ids.json"), "[[1, 99], [2, 100]]");
        assertTrue(refusal("NPF-154").startsWith("NPF-154 prompts.ids.json, prompt 2: token id (100): expected 0 to 99"));
        Files.writeString(folder.resolve("prompts.ids.json"), "[[1, 99]]");
        Files.writeString(folder.resolve("model.yaml"), "canonical_prompt_ids: [5, -1]\n");
        assertTrue(refusal("NPF-154").startsWith("NPF-154 model.yaml: canonical_prompt_ids: token id (-1): expected 0 to 99"));
        Files.writeString(folder.resolve("model.yaml"), "canonical_prompt_ids: [5, 99]\n");
        source();
    }

    @Test void a_file_without_a_prompt_is_refused() throws Exception {
        Files.writeString(folder.resolve("prompts.ids.json"), "[]");
        assertTrue(refusal("NPF-189").contains("prompts.ids.json (no prompt)"));
        Files.writeString(folder.resolve("prompts.ids.json"), "{\"0\": [1]}");
        refusal("NPF-183");
        Files.writeString(folder.resolve("prompts.ids.json"), "[[1], []]");
        assertTrue(refusal("NPF-184").contains("prompts.ids.json, prompt 2 ([])"));
    }
}
