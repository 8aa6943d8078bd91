package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/// A skill that does to the process what no plan shows, in a process of its own.
class NoisySkillTest {

    @TempDir private Path folder;
    private TreeCopy tree;

    @BeforeEach void pack() throws Exception {
        tree = TreeCopy.in(Files.createDirectory(folder.resolve("tree")));
        InterruptTest.jar(Files.createDirectory(folder.resolve("skills")).resolve("noisy.jar"), NoisySkill.class);
    }

    @Test void what_it_prints_is_not_in_the_json_and_its_thread_does_not_keep_the_process() throws Exception {
        CommandRun run = run("skills", "--json");
        assertEquals(0, run.exitCode(), run.err());
        List<String> names = JsonMapper.shared().readTree(run.out()).get("skills").valueStream().map(skill -> skill.get("name").asString()).toList();
        assertTrue(names.contains("noisy"), names.toString());
        assertTrue(run.err().contains("I am being made"), run.err());
    }

    @Test void that_it_wants_to_end_the_process_is_told_and_the_command_ends_as_it_should() throws Exception {
        CommandRun run = run("plan", "tiny_kjv", "--plan", "baseline", "--diff", "noisy");
        assertEquals(2, run.exitCode(), run.err());
        assertEquals("", run.out());
        assertTrue(run.err().contains("NPF-706 noisy (assess called System.exit(0) (NoisySkill.java:"), run.err());
        assertFalse(run.err().contains("\tat ") || run.err().contains("\u001b"), run.err());
    }

    private CommandRun run(String... arguments) throws Exception {
        String[] all = Arrays.copyOf(arguments, arguments.length + 2);
        all[arguments.length] = "--skills-dir";
        all[arguments.length + 1] = folder.resolve("skills").toString();
        Path err = folder.resolve("err");
        Process process = tree.startWithoutTests(err, all);
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new CommandRun(process.waitFor(), out, Files.readString(err));
    }
}
