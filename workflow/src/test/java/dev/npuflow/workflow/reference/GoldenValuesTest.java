package dev.npuflow.workflow.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.generation.GreedyDecoder;
import dev.npuflow.workflow.model.LanguageModel;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// tiny_kjv against PyTorch (bf16, eager order). PyTorch sums in another order, and half of the logits differ by a unit of bf16 or two; a step whose
/// margin is below the tolerance may go either way.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GoldenValuesTest {

    private static final float TOLERANCE = 0.25f;
    private final JsonNode golden = Recorded.json("tiny_kjv_golden.json");
    private LanguageModel model;
    private ReferenceEngine engine;

    @BeforeAll void open(@TempDir Path cache) {
        model = Models.tinyKjv(cache);
        engine = new ReferenceEngine(model, ReferenceOptions.defaults(line -> { }));
    }

    @AfterAll void close() {
        engine.close();
        model.close();
    }

    @Test void last_position_logits_are_pytorchs_within_the_tolerance() {
        assertEquals(2, golden.size());
        for (JsonNode prompt : golden) {
            float[] expected = Recorded.floats(prompt.at("/bf16/prompt_logits_last"));
            float[] logits = engine.prefill(Recorded.ints(prompt.get("prompt_ids")));
            assertEquals(expected.length, logits.length);
            double square = 0;
            for (int id = 0; id < expected.length; id++) {
                assertEquals(expected[id], logits[id], 0.13f, "id " + id);
                square += Math.pow(expected[id] - logits[id], 2);
            }
            assertTrue(Math.sqrt(square / expected.length) < 0.05, "root mean square " + Math.sqrt(square / expected.length));
        }
    }

    @Test void greedy_ids_are_pytorchs_up_to_the_first_step_that_is_near_a_tie() {
        int compared = 0;
        for (JsonNode prompt : golden) {
            List<Integer> chosen = GreedyDecoder.trace(engine, Recorded.ints(prompt.get("prompt_ids")), 32, 5).chosen();
            for (int step = 0; step < 32 && prompt.at("/bf16/margin").get(step).asDouble() >= TOLERANCE; step++) {
                assertEquals(prompt.at("/bf16/greedy_ids").get(step).asInt(), chosen.get(step), "step " + step);
                compared++;
            }
        }
        assertEquals(10, compared);
    }

    @Test void fed_pytorchs_tokens_its_choice_is_among_the_best_five_at_every_step() {
        for (JsonNode prompt : golden) {
            float[] logits = engine.prefill(Recorded.ints(prompt.get("prompt_ids")));
            for (int step = 0; step < 32; step++) {
                int expected = prompt.at("/bf16/greedy_ids").get(step).asInt();
                int largest = 0;
                for (int id = 1; id < logits.length; id++) {
                    largest = logits[id] > logits[largest] ? id : largest;
                }
                if (prompt.at("/bf16/margin").get(step).asDouble() >= TOLERANCE) {
                    assertEquals(expected, largest, "step " + step);
                }
                assertTrue(logits[largest] - logits[expected] < TOLERANCE, "step " + step);
                if (step < 31) {
                    logits = engine.decode(expected);
                }
            }
        }
    }
}
