package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.model.Cases;
import dev.npuflow.workflow.model.DamagedWeights;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// Weights that are not finite: `inspect --values` finds them, and a run names them.
class InspectValuesTest {

    private static final int NAN = 0x7fc0;
    private static final String UP = "model.layers.0.mlp.up_proj.weight";

    @TempDir Path folder;

    private String damaged(String tensor, int row, int column, int bits) {
        return DamagedWeights.copy(Cases.file("e08/token_beyond_embedding"), folder.resolve(tensor + row), tensor, row, column, bits).toString();
    }

    private CommandRun generate(String model, String engine) {
        return CommandRun.of("generate", model, "--ids", "3,4,5", "-n", "2", "--engine", engine, "--workspace", folder.resolve("workspace").toString());
    }

    @Test void a_bad_value_is_shown_with_tensor_and_index() {
        String model = damaged(UP, 7, 9, NAN);
        CommandRun text = CommandRun.of("inspect", model, "--values");
        assertEquals(0, text.exitCode());
        assertTrue(text.out().contains("1 of 12 tensors hold values that are not finite in bf16") && text.out().contains(UP)
                && text.out().contains("1 NaN, first at [7, 9]"), text.out());
        JsonNode found = CommandRun.of("inspect", model, "--values", "--json").json().get("values").get("bad").get(0);
        assertEquals("%s [7,9] NaN 1".formatted(UP), "%s %s %s %d".formatted(found.get("tensor").asString(), found.get("first"),
                found.get("first_value").asString(), found.get("nan").asInt()));
        JsonNode alone = CommandRun.of("inspect", Path.of(model, "model.safetensors").toString(), "--values", "--json").json();
        assertEquals(found, alone.get("values").get("bad").get(0));
    }

    @Test void whole_weights_are_said_to_be_and_none_are_read_over_unasked() {
        String model = Cases.file("e08/token_beyond_embedding").toString();
        assertTrue(CommandRun.of("inspect", model, "--values").out().contains("all 28,864 values of 12 tensors are finite in bf16"));
        assertFalse(CommandRun.of("inspect", model).out().contains("finite"));
        assertFalse(CommandRun.of("inspect", model, "--json").json().has("values"));
    }

    @Test void a_run_that_a_weight_spoils_names_it_on_both_engines() {
        for (String engine : new String[] {"reference", "npu"}) {
            CommandRun run = generate(damaged(UP, 7, 9, NAN), engine);
            assertEquals(2, run.exitCode(), run.err());
            assertTrue(run.err().contains("NPF-142 model.safetensors: tensor " + UP + " (NaN at row 7, column 9):"), run.err());
        }
    }

    @Test void a_row_of_the_embedding_that_is_not_read_spoils_no_run() {
        assertEquals(0, generate(damaged("model.embed_tokens.weight", 2, 5, NAN), "reference").exitCode());
        assertEquals(0, generate(damaged("model.embed_tokens.weight", 2, 5, NAN), "npu").exitCode());
    }

    @Test void an_overflow_of_finite_weights_is_not_blamed_on_them() {
        String model = damaged("model.layers.0.self_attn.q_proj.weight", 0, 2, 0x7f7f);
        CommandRun reference = generate(model, "reference");
        assertTrue(reference.err().contains("NPF-165 attention of layer 0 (the largest score of 1 positions is NaN)"), reference.err());
        assertEquals(2, reference.exitCode());
        CommandRun npu = generate(model, "npu");
        assertTrue(npu.err().contains("NPF-504 step 0") && npu.err().contains("try npuflow localize"), npu.err());
    }

    @Test void several_tensors_are_counted() {
        String once = damaged(UP, 7, 9, NAN);
        String twice = DamagedWeights.copy(Path.of(once), folder.resolve("twice"), "model.norm.weight", 0, 3, 0x7f80).toString();
        assertTrue(generate(twice, "reference").err().contains("row 7, column 9; 2 tensors hold such values"));
    }
}
