package dev.npuflow.workflow.scaffold;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SkillScaffoldTest {

    private static final Pattern VERSIONED = Pattern.compile("<artifactId>([a-z-]+)</artifactId>\\s*<version>([0-9.]+)</version>");

    @TempDir private Path folder;

    private List<Path> write(String name, String packageName, Path target) {
        return SkillScaffold.of(name, packageName, Optional.of(target)).write();
    }

    private static String fault(Runnable action) {
        return assertThrows(NpuflowException.class, action::run).id();
    }

    @ParameterizedTest @CsvSource({"my-skill, MySkill", "merge-all, MergeAllSkill", "skill, SkillSkill", "override, OverrideSkill", "b2, B2Skill"})
    void a_class_is_called_by_the_skill_and_like_nothing_that_it_imports(String name, String type) throws IOException {
        Path target = folder.resolve(name);
        assertTrue(write(name, "com.acme", target).contains(Path.of("src/main/java/com/acme", type + ".java")));
        String source = Files.readString(target.resolve("src/main/java/com/acme").resolve(type + ".java"));
        assertTrue(source.contains("public final class %s implements Skill {".formatted(type)) && source.contains("return \"%s\";".formatted(name)), source);
        assertEquals("com.acme." + type + "\n", Files.readString(target.resolve("src/main/resources/META-INF/services/dev.npuflow.skill.Skill")));
        assertTrue(Files.isExecutable(target.resolve("build.sh")));
    }

    @Test void the_smallest_skill_has_25_lines_at_most_and_its_test_15() throws IOException {
        Path target = folder.resolve("my-skill");
        write("my-skill", "com.acme", target);
        assertTrue(lines(target.resolve("src/main/java/com/acme/MySkill.java")) <= 25);
        assertTrue(lines(target.resolve("src/test/java/com/acme/MySkillTest.java")) <= 15);
    }

    private static long lines(Path file) throws IOException {
        return Files.readAllLines(file).size();
    }

    @ParameterizedTest @ValueSource(strings = {"", "My-Skill", "my_skill", "-x", "x-", "a--b", "1st", "é", "a/b", "..", "a b", "a\u0000b",
            "a-name-that-is-longer-than-sixty-four-characters-and-therefore-refused"})
    void a_name_that_a_skill_cannot_have_is_refused(String name) throws IOException {
        assertEquals("NPF-708", fault(() -> SkillScaffold.of(name, "example", Optional.empty())));
        assertEquals(List.of(), entries());
    }

    @ParameterizedTest @ValueSource(strings = {"", "Acme", "com..acme", "com.class", "1st", "java.mine", "a-b", "é"})
    void a_package_that_java_does_not_take_is_refused(String packageName) {
        assertEquals("NPF-712", fault(() -> write("my-skill", packageName, folder.resolve("x"))));
    }

    @Test void a_directory_that_is_there_is_refused_and_left_as_it_is() throws IOException {
        Path mine = Files.createDirectory(folder.resolve("mine"));
        Files.writeString(mine.resolve("pom.xml"), "mine");
        Files.createSymbolicLink(folder.resolve("link"), folder.resolve("nowhere"));
        assertEquals("NPF-710", fault(() -> write("my-skill", "example", mine)));
        assertEquals("NPF-710", fault(() -> write("my-skill", "example", folder.resolve("link"))));
        assertEquals("NPF-710", fault(() -> write("my-skill", "example", mine.resolve("pom.xml"))));
        assertEquals("mine", Files.readString(mine.resolve("pom.xml")));
        assertEquals(List.of("link", "mine"), entries());
    }

    @Test void nothing_is_left_where_a_directory_cannot_be_written() throws IOException {
        assertEquals("NPF-711", fault(() -> write("my-skill", "example", folder.resolve("no/such/parent"))));
        Path file = Files.writeString(folder.resolve("file"), "");
        assertEquals("NPF-711", fault(() -> write("my-skill", "example", file.resolve("x"))));
        assertEquals(List.of("file"), entries());
    }

    @Test void two_times_the_same_question_give_the_same_bytes() throws IOException {
        List<Path> files = write("my-skill", "example", folder.resolve("a"));
        assertEquals(files, write("my-skill", "example", folder.resolve("b")));
        for (Path file : files) {
            assertEquals(Files.readString(folder.resolve("a").resolve(file)), Files.readString(folder.resolve("b").resolve(file)));
        }
    }

    @Test void the_pom_names_the_versions_that_npuflow_itself_is_built_with() throws IOException {
        write("my-skill", "example", folder.resolve("a"));
        String pom = Files.readString(folder.resolve("a/pom.xml"));
        String ours = Files.readString(Path.of(System.getProperty("npuflow.root"), "pom.xml"));
        assertTrue(pom.contains("<npuflow.version>%s</npuflow.version>".formatted(ours.replaceFirst("(?s).*?<version>([^<]+)</version>.*", "$1"))), pom);
        Matcher plugins = VERSIONED.matcher(pom.substring(pom.indexOf("<plugins>")));
        int found = 0;
        while (plugins.find()) {
            assertTrue(ours.replaceAll("\\s+", "").contains("<artifactId>%s</artifactId><version>%s</version>".formatted(plugins.group(1), plugins.group(2))), plugins.group());
            found++;
        }
        assertEquals(5, found);
    }

    private List<String> entries() throws IOException {
        try (Stream<Path> entries = Files.list(folder)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }
}
