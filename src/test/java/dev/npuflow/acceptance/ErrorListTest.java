package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every id a user can meet stands in `docs/errors.md`, once, and nothing else does.
class ErrorListTest {

    private static final Path ROOT = Path.of(System.getProperty("npuflow.root"));
    private static final Pattern IN_JAVA = Pattern.compile("\"(NPF-\\d{3})\\b");
    private static final Pattern IN_SCRIPT = Pattern.compile("echo \"(NPF-\\d{3})\\b");
    private static final Pattern LISTED = Pattern.compile("(?m)^\\| (NPF-\\d{3}) \\| \\S");

    @Test
    void every_id_in_the_sources_is_listed_and_every_listed_id_is_used() throws IOException {
        assertEquals(String.join("\n", new TreeSet<>(used())), String.join("\n", new TreeSet<>(listed())), "docs/errors.md against the sources");
    }

    @Test
    void an_id_is_listed_once() throws IOException {
        assertEquals(List.of(), listed().stream().collect(Collectors.groupingBy(id -> id, Collectors.counting()))
                .entrySet().stream().filter(entry -> entry.getValue() > 1).toList());
    }

    @Test
    void the_search_finds_the_ids_of_modules_and_of_scripts() throws IOException {
        assertFalse(ids(javaFiles("workflow"), IN_JAVA).isEmpty());
        assertFalse(ids(scripts(), IN_SCRIPT).isEmpty());
    }

    private static List<String> used() throws IOException {
        return Stream.concat(ids(javaFiles(""), IN_JAVA).stream(), ids(scripts(), IN_SCRIPT).stream()).toList();
    }

    private static List<String> listed() throws IOException {
        return ids(List.of(ROOT.resolve("docs/errors.md")), LISTED);
    }

    private static List<String> ids(List<Path> files, Pattern pattern) throws IOException {
        List<String> ids = new ArrayList<>();
        for (Path file : files) {
            pattern.matcher(Files.readString(file)).results().map((MatchResult match) -> match.group(1)).forEach(ids::add);
        }
        return ids;
    }

    private static List<Path> scripts() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("bin"))) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    private static List<Path> javaFiles(String module) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(module))) {
            return files.filter(file -> file.toString().endsWith(".java") && file.toString().contains("/src/main/java/")).sorted().toList();
        }
    }
}
