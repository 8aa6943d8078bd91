package dev.npuflow.workflow.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.catalog.SkillCatalog.RejectedSkill;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @Test void skills_stand_in_the_order_that_they_say_and_those_of_one_order_by_name() throws IOException {
        jar("a.jar", "Late", "public String name() { return \"a-late\"; } public int order() { return 2000; }", "Late");
        jar("b.jar", "Good", NAMED, "Good");
        jar("c.jar", "Early", "public String name() { return \"z-early\"; } public int order() { return -1; }", "Early");
        jar("d.jar", "Usual", "public String name() { return \"b-usual\"; }", "Usual");
        assertEquals(List.of("z-early", "b-usual", "good-skill", "a-late"), SkillCatalog.load(Optional.of(folder)).skills().stream().map(LoadedSkill::name).toList());
    }

    @Test void a_skill_whose_options_or_order_are_nonsense_is_not_loaded_and_says_why() throws IOException {
        String on = "new SkillOption.Switch(\"x\", true, \"s\")";
        jar("a.jar", "Twice", NAMED + "public List<SkillOption> options() { return List.of(%s, %s); }".formatted(on, on), "Twice");
        jar("b.jar", "Odd", NAMED + "public List<SkillOption> options() { return List.of(new SkillOption.Number(\"n\", 9, 1, 8, \"s\")); }", "Odd");
        jar("c.jar", "Nothing", NAMED + "public List<SkillOption> options() { return null; }", "Nothing");
        jar("d.jar", "Disorderly", NAMED + "public int order() { throw new IllegalStateException(\"first!\"); }", "Disorderly");
        List<String> rejected = rejected();
        assertEquals("a.jar: Twice: options returned two options of one name", rejected.get(0));
        assertEquals("b.jar: Odd: options threw IllegalArgumentException: option n: its usual value 9 is not from 1 to 8 (Odd.java:5)", rejected.get(1));
        assertTrue(rejected.get(2).startsWith("c.jar: Nothing: options threw NullPointerException"), rejected.get(2));
        assertEquals("d.jar: Disorderly: order threw IllegalStateException: first! (Disorderly.java:5)", rejected.get(3));
    }

    @Test void an_option_that_a_skill_declares_passes_with_a_value_that_it_takes() throws IOException {
        assertEquals(Map.of("flag", "off", "size", "8", "way", "up"), options().requireOptions(Map.of("flag", "off", "size", "8", "way", "up")));
        assertEquals(Map.of(), SkillCatalog.of(List.of()).requireOptions(Map.of()));
    }

    @ParameterizedTest @CsvSource(delimiter = '|', value = {
        "flag | OFF  | NPF-717 --skill-option flag (OFF): expected on or off; try --skill-option flag=off",
        "flag | yes  | NPF-717 --skill-option flag (yes): expected on or off; try --skill-option flag=on",
        "flag | ''   | NPF-717 --skill-option flag (): expected on or off; try --skill-option flag=on",
        "size | 0    | NPF-717 --skill-option size (0): expected 1 to 8; try --skill-option size=4",
        "size | 9    | NPF-717 --skill-option size (9): expected 1 to 8; try --skill-option size=4",
        "size | four | NPF-717 --skill-option size (four): expected 1 to 8; try --skill-option size=4",
        "size | 99999999999999999999 | NPF-717 --skill-option size (99999999999999999999): expected 1 to 8; try --skill-option size=4",
        "way  | left | NPF-717 --skill-option way (left): expected one of up, down; try --skill-option way=up",
        "falg | off  | NPF-716 --skill-option (falg): expected one of flag, size, way; try --skill-option flag=off",
        "Flag | off  | NPF-716 --skill-option (Flag): expected one of flag, size, way; try --skill-option flag=off",
        "nosuch | 1  | NPF-716 --skill-option (nosuch): expected one of flag, size, way; try npuflow skills, which lists them"})
    void another_option_or_value_is_refused_by_name(String name, String value, String message) throws IOException {
        assertEquals(message, assertThrows(NpuflowException.class, () -> options().requireOptions(Map.of(name, value))).getMessage());
    }

    @Test void a_value_has_to_suit_every_skill_that_declares_the_option() throws IOException {
        jar("b.jar", "Other", "public String name() { return \"other\"; } public List<SkillOption> options() { return List.of(new SkillOption.Number(\"size\", 1, 1, 2, \"s\")); }",
                "Other");
        assertEquals(Map.of("size", "2"), options().requireOptions(Map.of("size", "2")));
        assertEquals("NPF-717", assertThrows(NpuflowException.class, () -> options().requireOptions(Map.of("size", "3"))).id());
    }

    private SkillCatalog options() throws IOException {
        jar("a.jar", "Good", NAMED + "public List<SkillOption> options() { return List.of(new SkillOption.Switch(\"flag\", true, \"a flag\"), "
                + "new SkillOption.Number(\"size\", 4, 1, 8, \"a size\"), new SkillOption.Word(\"way\", \"up\", List.of(\"up\", \"down\"), \"a way\")); }", "Good");
        return SkillCatalog.load(Optional.of(folder));
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
