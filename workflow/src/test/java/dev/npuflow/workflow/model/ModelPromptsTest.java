package dev.npuflow.workflow.model;

import static org.junit.jupiter.api.Assertions.assertEquals;

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
}
