package dev.npuflow.workflow.catalog;

import dev.npuflow.skill.Skill;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/// Compiles a skill and packs it with a service file, as a third party would.
public record SkillJar(Path folder) {

    /// @param type    the class, without a package
    /// @param body    of the class: what it has instead of, or beside, a skill that never applies
    /// @param service what the service file names
    public void write(String name, String type, String body, String service) throws IOException {
        Path classes = Files.createDirectories(folder.resolve("classes of " + name.replace(".jar", "")));
        Path source = classes.resolve(type + ".java");
        Files.writeString(source, """
                import dev.npuflow.plan.*;
                import dev.npuflow.skill.*;
                import java.util.*;
                public class %s implements Skill {
                    %s
                    %s
                    %s
                }
                """.formatted(type, body, body.contains(" name()") ? "" : "public String name() { return \"a-skill\"; }",
                body.contains(" assess(") ? "" : "public Assessment assess(Deployment plan, SkillContext context) { return Assessment.notApplicable(\"never\"); }"));
        String api = Skill.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        if (ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-cp", api, "-d", classes.toString(), source.toString()) != 0) {
            throw new IllegalStateException("%s does not compile".formatted(source));
        }
        try (OutputStream file = Files.newOutputStream(folder.resolve(name)); JarOutputStream jar = new JarOutputStream(file);
                Stream<Path> compiled = Files.list(classes)) {
            jar.putNextEntry(new JarEntry("META-INF/services/" + Skill.class.getName()));
            jar.write(service.getBytes(StandardCharsets.UTF_8));
            for (Path member : compiled.filter(path -> path.toString().endsWith(".class")).sorted().toList()) {
                jar.putNextEntry(new JarEntry(member.getFileName().toString()));
                jar.write(Files.readAllBytes(member));
            }
        }
    }

    /// One whose service file names it.
    public void write(String name, String type, String body) throws IOException {
        write(name, type, body, type);
    }
}
