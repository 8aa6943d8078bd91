package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The figures that README and `clock.md` cite are, as far as they round them, those of the documents and commands that they name.
class ReadmeFiguresTest {

    private static final Path ROOT = Path.of(System.getProperty("npuflow.root"));

    @ParameterizedTest @CsvSource({"llama32_1b, Llama-3.2-1B's shape goes from (\\S+) to (\\S+) ms/token, 0.5", "tiny_kjv, baseline (\\S+) → final (\\S+) ms/token, 0.0006"})
    void the_times_of_a_model_are_those_of_its_document(String model, String sentence, double rounding) throws IOException {
        Matcher cited = find(sentence, Path.of("README.md"));
        Matcher measured = find("baseline_ms=(\\S+) final_ms=(\\S+)", Path.of("programming_examples/llms", model, "docs/development_progress/phase5_decode.md"));
        for (int group = 1; group <= 2; group++) {
            assertEquals(Double.parseDouble(measured.group(group)), Double.parseDouble(cited.group(group)), rounding, sentence);
        }
    }

    /// The rows that the document cites, from the same published figures.
    @Test void the_errors_of_whole_deployments_are_those_of_the_clock() throws IOException {
        Path published = ROOT.resolve("src/test/resources/published");
        CommandRun run = CommandRun.of("sim", "validate", "--models", published.resolve("models.csv").toString(), "--models",
                published.resolve("model_breakdown.csv").toString(), "--configs", ROOT.resolve("programming_examples/llms").toString(), "--json");
        String document = Files.readString(ROOT.resolve("docs/clock.md"));
        Map<String, Double> errors = new TreeMap<>();
        run.json().get("models").forEach(row -> errors.put(row.get("row_id").asString(), 100 * row.get("error").asDouble()));
        int cited = 0;
        for (MatchResult figure : Pattern.compile("(M\\d{3}) ([+−]?)(\\d+\\.\\d) %|(B012) \\(([+−])(\\d+\\.\\d) %\\)").matcher(document).results().toList()) {
            int group = figure.group(1) == null ? 4 : 1;
            double stated = Double.parseDouble(figure.group(group + 2)) * (figure.group(group + 1).equals("−") ? -1 : 1);
            assertEquals(stated, errors.get(figure.group(group)), 0.0501, figure.group());
            cited++;
        }
        assertEquals(5, cited);
        errors.entrySet().stream().filter(row -> row.getKey().startsWith("B") && !row.getKey().equals("B012"))
                .forEach(row -> assertTrue(Math.abs(row.getValue()) <= 5.05, row.toString()));
    }

    private static Matcher find(String pattern, Path file) throws IOException {
        Matcher found = Pattern.compile(pattern).matcher(Files.readString(ROOT.resolve(file)));
        assertTrue(found.find(), pattern);
        return found;
    }
}
