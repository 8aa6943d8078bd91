package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The figures that the README cites are, as far as it rounds them, those of the documents that it links.
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

    private static Matcher find(String pattern, Path file) throws IOException {
        Matcher found = Pattern.compile(pattern).matcher(Files.readString(ROOT.resolve(file)));
        assertTrue(found.find(), pattern);
        return found;
    }
}
