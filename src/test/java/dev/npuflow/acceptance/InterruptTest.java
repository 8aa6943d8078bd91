package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.npuflow.skill.Skill;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What an end from outside says, and what it leaves in the ledger.
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

    /// The skill is the second step of an ablation, behind the baseline, and of a Phase 4.
    @ParameterizedTest @CsvSource({"ablate tiny_kjv --skills asked, interrupted: an ablation keeps no plan; the same command begins again",
            "phase4 tiny_kjv --only asked, interrupted: the plan that was kept last still holds; --resume goes on"})
    void a_run_that_ctrl_c_ends_is_marked_as_interrupted(String command, String said) throws IOException, InterruptedException, SQLException {
        TreeCopy tree = TreeCopy.in(Files.createDirectory(folder.resolve("tree")));
        Path skills = Files.createDirectory(folder.resolve("skills"));
        jar(skills.resolve("asked.jar"), AskedSkill.class);
        Process process = tree.startWithoutTests((command + " --skills-dir " + skills).split(" "));
        try (var out = process.inputReader(StandardCharsets.UTF_8)) {
            String line = out.readLine();
            while (!"asked".equals(line)) {
                line = Objects.requireNonNull(out.readLine(), "the command ended by itself");
            }
            assertEquals(0, new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor());
            // A line of progress may come between, where the machine is slow.
            assertEquals(said, out.lines().filter(told -> !told.startsWith("[")).findFirst().orElseThrow());
        }
        assertEquals(130, process.waitFor());
        assertEquals("INTERRUPTED", lastStatus(tree.root().resolve(".npuflow/ledger.sqlite")));
    }

    private static String lastStatus(Path ledger) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + ledger); Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT status FROM run_status ORDER BY id DESC LIMIT 1")) {
            return row.getString(1);
        }
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
