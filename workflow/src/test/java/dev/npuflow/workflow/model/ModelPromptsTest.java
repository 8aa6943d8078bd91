package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.fault.NpuflowException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ModelPromptsTest {

    @TempDir Path folder;

    private String source() {
        return ModelPrompts.read(folder, 100, Optional.empty()).gateSource();
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
}
