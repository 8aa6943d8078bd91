package dev.npuflow.workflow.catalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.skill.Skill;
import dev.npuflow.workflow.fault.NpuflowException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;
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
        assertEquals(List.of("a-missing-class.jar", "b-throws.jar", "c-bad-name.jar"),
                catalog.rejected().stream().map(SkillCatalog.RejectedSkill::origin).filter(origin -> !origin.startsWith("d-")).toList());
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

    /// Compiles a skill and packs it with a service file, as a third party would.
    private void jar(String name, String type, String body, String service) throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes-" + name));
        Path source = classes.resolve(type + ".java");
        Files.writeString(source, """
                                import dev.npuflow.plan.*;
                import dev.npuflow.skill.*;
                public class %s implements Skill {
                    public Assessment assess(Deployment deployment, SkillContext context) { return Assessment.doesNotApply("nothing to do"); }
                    public Deployment apply(Deployment deployment, SkillContext context) { return deployment; }
                    %s
                }
                """.formatted(type, body));
        String api = Skill.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-cp", api, source.toString()));
        try (OutputStream file = Files.newOutputStream(folder.resolve(name)); JarOutputStream jar = new JarOutputStream(file)) {
            jar.putNextEntry(new JarEntry("META-INF/services/" + Skill.class.getName()));
            jar.write(service.getBytes(StandardCharsets.UTF_8));
            jar.putNextEntry(new JarEntry(type + ".class"));
            jar.write(Files.readAllBytes(classes.resolve(type + ".class")));
        }
    }
}
