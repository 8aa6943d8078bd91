package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.lens.Hypothesis;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/// The tables of `docs/faults.md` before the score of the gate.
final class FaultsDocument {

    private FaultsDocument() {}

    static List<List<String>> rows() {
        Path document = Path.of(System.getProperty("npuflow.root"), "docs", "faults.md");
        try {
            return Files.readAllLines(document).stream().takeWhile(line -> !line.equals("## What the gate catches")).filter(line -> line.startsWith("| ") && !line.startsWith("| Fault |"))
                    .map(line -> Arrays.stream(line.substring(2, line.length() - 2).split(" \\| ")).map(cell -> cell.replace("\\|", "|")).toList())
                    .toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /// The fault has a row with the step in which it was seen, and the hypothesis with its number and its remedy.
    static void assertListed(String fault, FaultCase.Found found) {
        Hypothesis hypothesis = found.hypothesis();
        String seen = found.step() == 0 ? "prefill" : "decode step " + found.step();
        assertRow(fault, seen, "%d, %s: %s".formatted(hypothesis.number(), hypothesis.title(), hypothesis.remedy()));
    }

    static void assertCell(String fault, String last) {
        assertRow(fault, "", last);
    }

    private static void assertRow(String fault, String seen, String last) {
        assertTrue(rows().stream().anyMatch(row -> row.get(0).equals(fault) && row.get(1).contains(seen) && row.get(2).equals(last)),
                "docs/faults.md: | %s | … %s … | %s |".formatted(fault, seen, last));
    }
}
