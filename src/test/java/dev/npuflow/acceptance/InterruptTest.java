package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.npuflow.skill.Skill;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What an end from outside says where no run is open yet.
class InterruptTest {

    @TempDir Path folder;

    @ParameterizedTest @CsvSource({"phase5 tiny_kjv, interrupted before a run was recorded: the same command begins again",
            "deploy tiny_kjv, interrupted before a run was recorded: the same command begins again", "skills, interrupted"})
    void a_command_that_is_ended_before_it_recorded_anything_says_so(String command, String said) throws IOException, InterruptedException {
        TreeCopy tree = TreeCopy.in(Files.createDirectory(folder.resolve("tree")));
        Path skills = Files.createDirectory(folder.resolve("skills"));
        jar(skills.resolve("waiting.jar"), WaitingSkill.class);
        Process process = tree.startWithoutTests((command + " --skills-dir " + skills).split(" "));
        try (var out = process.inputReader(StandardCharsets.UTF_8)) {
            String line = out.readLine();
            while (!"loading".equals(line)) {
                line = Objects.requireNonNull(out.readLine(), "the command ended by itself");
            }
            process.toHandle().destroy();
            assertEquals(said, out.readLine());
        }
        assertEquals(143, process.waitFor());
        assertFalse(Files.exists(tree.root().resolve(".npuflow/ledger.sqlite")));
    }

    /// A jar with one skill, a class of these tests.
    static void jar(Path file, Class<? extends Skill> skill) throws IOException {
        String name = skill.getName();
        try (OutputStream out = Files.newOutputStream(file); JarOutputStream jar = new JarOutputStream(out);
                var bytes = skill.getResourceAsStream("/" + name.replace('.', '/') + ".class")) {
            jar.putNextEntry(new JarEntry("META-INF/services/" + Skill.class.getName()));
            jar.write(name.getBytes(StandardCharsets.UTF_8));
            jar.putNextEntry(new JarEntry(name.replace('.', '/') + ".class"));
            bytes.transferTo(jar);
        }
    }
}
