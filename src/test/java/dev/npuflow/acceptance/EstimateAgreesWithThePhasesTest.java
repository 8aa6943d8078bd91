package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/// `estimate --plan phase5` reads a config.json only; the committed documents tell what the phases measured with weights, gate and all.
class EstimateAgreesWithThePhasesTest {

    private static final Pattern TIME_TO_FIRST_TOKEN = Pattern.compile("\\| TTFT, s \\| ([0-9.]+) \\| ([0-9.]+) \\|");
    private static final Pattern DECODE = Pattern.compile("\\| ms/token \\| ([0-9.]+) \\| ([0-9.]+) \\|");

    private static double finalFigure(Pattern row, String document) {
        Matcher matcher = row.matcher(document);
        assertTrue(matcher.find(), document);
        return Double.parseDouble(matcher.group(2));
    }

    private static JsonNode estimate(String model, String plan) {
        CommandRun run = CommandRun.of("estimate", model, "--plan", plan, "--json");
        assertEquals(0, run.exitCode(), run.err());
        return run.json();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tiny_kjv", "llama32_1b", "llama32_3b", "qwen25_1_5b", "qwen3_0_6b"})
    void what_phases_4_and_5_came_to_is_told_beforehand(String model) throws IOException {
        String document = Files.readString(TinyKjv.directory().resolveSibling(model).resolve("docs/development_progress/phase5_decode.md"));
        JsonNode estimate = estimate(model, "phase5");
        assertEquals(finalFigure(TIME_TO_FIRST_TOKEN, document), estimate.get("ttft_s").asDouble(), 1e-6);
        double decode = finalFigure(DECODE, document);
        assertEquals(decode, estimate.get("ms_per_token").asDouble(), 0.001 * decode, "but for the prompt's length");
        assertTrue(estimate(model, "baseline").get("ttft_s").asDouble() > estimate.get("ttft_s").asDouble(), "and the baseline is told as slower");
    }
}
