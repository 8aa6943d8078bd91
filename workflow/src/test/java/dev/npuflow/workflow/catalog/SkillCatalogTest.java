package dev.npuflow.workflow.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.catalog.SkillCatalog.RejectedSkill;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SkillCatalogTest {

    private static final String NAMED = "public String name() { return \"good-skill\"; }";

    @TempDir Path folder;

    @Test void a_jar_s_skill_is_found_by_the_provider_interface() throws IOException {
        jar("good.jar", "Good", NAMED, "Good");
        SkillCatalog catalog = SkillCatalog.load(Optional.of(folder));
        assertTrue(catalog.skills().stream().anyMatch(loaded -> loaded.name().equals("good-skill") && loaded.origin().equals("good.jar")));
        assertEquals(List.of(), catalog.rejected());
    }

    @Test void a_class_that_no_jar_names_is_not_loaded() throws IOException {
        jar("unnamed.jar", "Good", NAMED, "");
        assertTrue(SkillCatalog.load(Optional.of(folder)).skills().stream().noneMatch(loaded -> loaded.origin().equals("unnamed.jar")));
    }

    @Test void a_bad_jar_is_listed_with_its_reason_and_hides_no_good_one() throws IOException {
        jar("a-missing-class.jar", "Good", NAMED, "org.example.Gone");
        jar("b-throws.jar", "Throwing", NAMED + "public Throwing() { throw new IllegalStateException(\"not today\"); }", "Throwing");
        jar("c-bad-name.jar", "BadlyNamed", "public String name() { return \"bad\\nname | x\"; }", "BadlyNamed");
        Files.writeString(folder.resolve("d-no-jar.jar"), "this is no archive");
        jar("e-good.jar", "Good", NAMED, "Good");
        SkillCatalog catalog = SkillCatalog.load(Optional.of(folder));
        assertTrue(catalog.skills().stream().anyMatch(loaded -> loaded.origin().equals("e-good.jar")));
        assertEquals(List.of("a-missing-class.jar", "b-throws.jar", "c-bad-name.jar", "d-no-jar.jar"),
                catalog.rejected().stream().map(SkillCatalog.RejectedSkill::origin).toList());
        assertTrue(catalog.rejected().get(1).reason().contains("not today"), catalog.rejected().toString());
        assertTrue(catalog.rejected().stream().allMatch(rejected -> rejected.reason().lines().count() == 1));
    }

    @Test void a_skill_without_a_name_is_not_loaded_as_one_called_null() throws IOException {
        jar("nameless.jar", "Nameless", "public String name() { return null; }", "Nameless");
        SkillCatalog catalog = SkillCatalog.load(Optional.of(folder));
        assertTrue(catalog.skills().stream().noneMatch(loaded -> loaded.origin().equals("nameless.jar")));
        assertEquals(List.of("nameless.jar"), catalog.rejected().stream().map(SkillCatalog.RejectedSkill::origin).toList());
    }

    @Test void an_unknown_skill_is_refused_by_name() {
        NpuflowException fault = assertThrows(NpuflowException.class, () -> SkillCatalog.of(List.of()).select(List.of("no-such-skill")));
        assertEquals("NPF-701", fault.id());
    }

    @Test void a_jar_without_a_skill_and_a_file_that_is_no_jar_are_told_of() throws IOException {
        jar("unnamed.jar", "Good", NAMED, "");
        Files.writeString(folder.resolve("words.jar"), "this is no archive");
        assertEquals(List.of("unnamed.jar: it names no skill in META-INF/services/dev.npuflow.skill.Skill", "words.jar: it is no jar"), rejected());
    }

    @Test void of_two_skills_of_one_name_the_later_is_not_loaded_and_the_first_is_named() throws IOException {
        jar("a.jar", "Good", NAMED, "Good");
        jar("b.jar", "Other", NAMED, "Other");
        assertEquals(List.of("b.jar: Other: the name good-skill is taken by a skill that is in a.jar"), rejected());
        NpuflowException fault = assertThrows(NpuflowException.class, () -> SkillCatalog.load(Optional.of(folder)).select(List.of("other")));
        assertTrue(fault.getMessage().endsWith("try npuflow skills, which says why b.jar was not loaded"), fault.getMessage());
    }

    @Test void a_constructor_and_a_name_that_do_not_return_are_left_behind() throws IOException {
        String sleep = "try { Thread.sleep(1000000); } catch (InterruptedException e) { }";
        jar("a.jar", "Slow", "public Slow() { " + sleep + " }", "Slow");
        jar("b.jar", "Nameless", "public String name() { " + sleep + " return \"late\"; }", "Nameless");
        List<String> rejected = SkillCatalog.load(Optional.of(folder), Duration.ofMillis(200)).rejected().stream().map(RejectedSkill::reason).toList();
        assertEquals(List.of("Slow: its constructor did not return within 200 ms (Slow.java:5)", "Nameless: name did not return within 200 ms (Nameless.java:5)"), rejected);
    }

    @Test void a_constructor_that_throws_or_ends_the_process_is_told_with_its_own_frames() throws IOException {
        jar("a.jar", "Throwing", "public Throwing() { throw new IllegalStateException(\"not today\"); }", "Throwing");
        jar("b.jar", "Ending", "static { System.exit(0); }", "Ending");
        List<RejectedSkill> rejected = SkillCatalog.load(Optional.of(folder)).rejected();
        assertEquals("Throwing: its constructor threw IllegalStateException: not today (Throwing.java:5)", rejected.getFirst().reason());
        assertTrue(rejected.getFirst().trace().contains("at Throwing.<init>(Throwing.java:5)"), rejected.getFirst().trace().toString());
        assertEquals("Ending: its constructor called System.exit(0) (Ending.java:5)", rejected.getLast().reason());
    }

    @Test void a_class_file_that_is_none_is_told_of() throws IOException {
        jar("a.jar", "Good", NAMED, "Good");
        try (FileSystem jar = FileSystems.newFileSystem(folder.resolve("a.jar"))) {
            Files.write(jar.getPath("Good.class"), new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
        }
        assertEquals(1, SkillCatalog.load(Optional.of(folder)).rejected().size());
    }

    private List<String> rejected() {
        return SkillCatalog.load(Optional.of(folder)).rejected().stream().map(rejected -> rejected.origin() + ": " + rejected.reason()).toList();
    }

    private void jar(String name, String type, String body, String service) throws IOException {
        new SkillJar(folder).write(name, type, body, service);
    }
}
