package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// What each kept skill is worth, on a copy of tiny_kjv outside the tree.
class AblateTest {

    @TempDir Path folder;

    private CommandRun on(String command, String... more) {
        return CommandRun.of(Stream.concat(Stream.of(command, folder.resolve("model").toString(), "--workspace",
                folder.resolve("workspace").toString()), Stream.of(more)).toArray(String[]::new));
    }

    private void copyModel() throws IOException {
        Path copy = Files.createDirectories(folder.resolve("model"));
        for (String file : List.of("config.json", "generation_config.json", "model.safetensors", "tokenizer.json", "prompts.txt")) {
            Files.copy(TinyKjv.directory().resolve(file), copy.resolve(file));
        }
        Files.writeString(copy.resolve("model.yaml"), "prompts: prompts.txt\nphase_prompts: 1\n");
    }

    @Test void the_table_agrees_with_phase_5_and_stands_in_its_document() throws IOException {
        copyModel();
        JsonNode phase5 = on("phase5", "--json").json();
        CommandRun run = on("ablate", "--json");
        assertEquals(0, run.exitCode(), run.err());
        JsonNode rows = run.json().get("rows");
        assertEquals(phase5.get("baseline").get("plan").asString(), rows.get(0).get("plan").asString());
        assertEquals(phase5.get("final").get("plan").asString(), rows.get(rows.size() - 1).get("plan").asString());
        assertEquals(phase5.get("final").get("ms_per_token").asDouble(), rows.get(rows.size() - 1).get("ms_per_token").asDouble());
        assertTrue(rows.valueStream().allMatch(row -> row.get("verdict").asString().equals("PASS")), rows::toString);
        Path document = Path.of(run.json().get("document").asString()).toAbsolutePath().normalize();
        String once = Files.readString(document);
        assertTrue(once.contains("## Ablation") && once.contains("| opt-merge-multi-launch-kernels + opt-buffer-object-reuse |"), once);
        assertEquals(run.out(), on("ablate", "--json").out(), "the same again");
        assertEquals(once, Files.readString(document));
        assertEquals(phase5.get("final").get("plan").asString(), on("compile", "--json").json().get("plan").asString(),
                "the kept plan is still in force");
    }

    @Test void skills_get_the_options_of_the_phase_5_unless_others_are_given() throws IOException {
        copyModel();
        JsonNode phase5 = on("phase5", "--skill-option", "b2=off", "--json").json();
        assertEquals(lastPlan(on("ablate", "--json")), phase5.get("final").get("plan").asString());
        assertNotEquals(lastPlan(on("ablate", "--skill-option", "b2=on", "--json")), phase5.get("final").get("plan").asString());
    }

    private static String lastPlan(CommandRun ablation) {
        return ablation.json().get("rows").valueStream().toList().getLast().get("plan").asString();
    }

    @Test void without_a_phase_5_there_is_nothing_to_ablate() throws IOException {
        copyModel();
        CommandRun run = on("ablate");
        assertEquals(2, run.exitCode());
        assertTrue(run.err().startsWith("NPF-531 "), run.err());
    }
}
