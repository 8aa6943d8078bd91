package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Every id that a user can meet is in `docs/errors.md`, once, with the exit code that the sources declare, and nothing else is.
class ErrorListTest {

    private static final Path ROOT = Path.of(System.getProperty("npuflow.root"));
    private static final Pattern IN_JAVA = Pattern.compile("\"(NPF-\\d{3})\\b");
    private static final Pattern IN_SCRIPT = Pattern.compile("echo \"(NPF-\\d{3})\\b");
    private static final Pattern LISTED = Pattern.compile("(?m)^\\| (NPF-\\d{3}) \\| (\\d(?: or \\d)*) \\| \\S");
    private static final Pattern DECLARED = Pattern.compile("\\b(badInput|environment)\\(\\s*\"(NPF-\\d{3})\"");

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
    void an_id_ends_with_the_listed_exit_code_wherever_it_is_thrown() throws IOException {
        Map<String, String> listed = LISTED.matcher(Files.readString(ROOT.resolve("docs/errors.md"))).results()
                .collect(Collectors.toMap(row -> row.group(1), row -> row.group(2)));
        List<String> others = new ArrayList<>();
        int declared = 0;
        for (Path file : javaFiles("")) {
            for (MatchResult thrown : DECLARED.matcher(Files.readString(file)).results().toList()) {
                declared++;
                String code = String.valueOf((thrown.group(1).equals("badInput") ? ExitCode.BAD_INPUT : ExitCode.ENVIRONMENT).code());
                if (!code.equals(listed.get(thrown.group(2)))) {
                    others.add("%s in %s ends with %s".formatted(thrown.group(2), file.getFileName(), code));
                }
            }
        }
        assertEquals(List.of(), others);
        assertTrue(declared > listed.size() / 2, "the pattern finds where faults are thrown");
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
