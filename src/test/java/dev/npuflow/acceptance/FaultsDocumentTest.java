package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Tests look up the row of the fault that they inject; here the other direction.
class FaultsDocumentTest {

    @Test void every_fault_of_the_table_is_injected_by_a_test() throws IOException {
        List<String> tests = tests();
        assertTrue(tests.size() > 50, "tests were found");
        List<String> untested = FaultsDocument.rows().stream().map(List::getFirst)
                .filter(fault -> tests.stream().noneMatch(test -> test.contains('"' + fault + '"'))).toList();
        assertEquals(List.of(), untested);
        assertTrue(FaultsDocument.rows().size() > 20);
    }

    private static List<String> tests() throws IOException {
        Path root = Path.of(System.getProperty("npuflow.root"));
        try (Stream<Path> files = Stream.of("src/test/java", "workflow/src/test/java").map(root::resolve).flatMap(FaultsDocumentTest::walk)) {
            return files.filter(file -> file.toString().endsWith("Test.java") && !file.endsWith("FaultsDocumentTest.java")).map(FaultsDocumentTest::read)
                    .toList();
        }
    }

    private static Stream<Path> walk(Path directory) {
        try {
            return Files.walk(directory);
        } catch (IOException failure) {
            throw new java.io.UncheckedIOException(failure);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new java.io.UncheckedIOException(failure);
        }
    }
}
