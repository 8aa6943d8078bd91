package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

/// What `plan --diff` says of a skill whose author has not finished it.
class PlanDiffOfASkillTest {

    private static final String MODEL = Path.of(System.getProperty("npuflow.root"), "programming_examples/llms/tiny_kjv").toString();

    @TempDir private Path folder;

    @ParameterizedTest @CsvSource(delimiter = '|', value = {"throw new IllegalStateException(\"not yet\"); | assess threw IllegalStateException: not yet",
            "throw new StackOverflowError(); | assess threw StackOverflowError", "return null; | assess returned null"})
    void a_skill_that_breaks_is_told_in_one_line(String assess, String said) throws Exception {
        CommandRun run = diff(assess);
        assertEquals(2, run.exitCode(), run.err());
        assertTrue(run.err().startsWith("NPF-706 toy (" + said), run.err());
        assertEquals(1, run.err().lines().count(), run.err());
        assertEquals("", run.out());
    }

    @Test void a_skill_that_does_not_apply_says_why() throws Exception {
        CommandRun run = diff("return Assessment.notApplicable(\"nothing to gain\");");
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.out().endsWith("no difference\nit does not apply: nothing to gain\n"), run.out());
    }

    @Test void what_a_skill_prints_does_not_stand_in_the_json() throws Exception {
        ToySkill.jar(folder, "System.out.println(\"looking\"); return Assessment.proposal(deployment, \"always\");");
        Process process = TreeCopy.in(Files.createDirectory(folder.resolve("tree"))).startAside("plan", "tiny_kjv", "--skills-dir", folder.toString(), "--diff", "toy", "--json");
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), err);
        assertTrue(JsonMapper.shared().readTree(out).has("changes"), out);
        assertTrue(err.contains("looking"), err);
    }

    private CommandRun diff(String assess) throws IOException {
        ToySkill.jar(folder, assess);
        return CommandRun.of("plan", MODEL, "--workspace", folder.resolve("workspace").toString(), "--skills-dir", folder.toString(), "--diff", "toy");
    }
}
