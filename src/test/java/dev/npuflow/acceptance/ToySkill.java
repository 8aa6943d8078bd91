package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.npuflow.skill.Skill;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.ToolProvider;

/// A skill by the name `toy`, compiled and packed while a test runs: npuflow loads it as a stranger's, which it would not if the class were among those of the tests.
final class ToySkill {

    private ToySkill() {}

    /// Writes `toy.jar` into a directory.
    ///
    /// @param assess body of [Skill#assess]
    static void jar(Path directory, String assess) throws IOException {
        Path source = Files.writeString(directory.resolve("Toy.java"), """
                import dev.npuflow.plan.Deployment;
                import dev.npuflow.skill.*;
                import java.nio.file.*;
                public final class Toy implements Skill {
                    public String name() { return "toy"; }
                    public Assessment assess(Deployment deployment, SkillContext context) { %s }
                }
                """.formatted(assess));
        String api = Skill.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-cp", api, source.toString()));
        try (OutputStream file = Files.newOutputStream(directory.resolve("toy.jar")); JarOutputStream jar = new JarOutputStream(file)) {
            jar.putNextEntry(new JarEntry("META-INF/services/" + Skill.class.getName()));
            jar.write("Toy".getBytes(StandardCharsets.UTF_8));
            jar.putNextEntry(new JarEntry("Toy.class"));
            jar.write(Files.readAllBytes(directory.resolve("Toy.class")));
        }
    }
}
