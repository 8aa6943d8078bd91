package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/// `npuflow skills check` on directories that `skills new` wrote and that their authors then broke. They are compiled here as `build.sh` does it.
class SkillsCheckTest {

    private static final Path SKILL = Path.of("src/main/java/example/MySkill.java");
    private static final Path TEST = Path.of("src/test/java/example/MySkillTest.java");

    @TempDir private Path folder;
    private Path directory;

    @BeforeEach void write() {
        directory = folder.resolve("my-skill");
        CommandRun run = CommandRun.of("skills", "new", "my-skill", "--dir", directory.toString());
        assertEquals(0, run.exitCode(), run.err());
    }

    @Test void what_a_skill_does_wrong_fails_the_checks_that_ask_for_it_by_name_and_reason() throws IOException {
        replace(SKILL, "Deployment changed = deployment.mapCalls(", "new Thread(() -> { while (true) { java.util.concurrent.locks.LockSupport.park(); } }, \"mine\").start();"
                + " Deployment changed = deployment.withPhase(dev.npuflow.plan.Phase.PREFILL, deployment.decode()).mapCalls(");
        replace(Path.of("SKILL.md"), "## Purpose", "## Motive");
        SortedMap<String, String> checks = check(compiled());
        assertEquals("pass", checks.get("a skill says why it does not apply"));
        assertTrue(checks.get("a skill leaves no thread behind").startsWith("fail: threads that the skill started and that still run ==> expected: <[]> but was: <[mine"),
                checks::toString);
        assertTrue(checks.get("a skill leaves its input and the other phase alone").startsWith("fail: "), checks::toString);
        assertEquals("fail: SKILL.md ==> expected: <[]> but was: <[no section 'Purpose']>", checks.get("a skill is named loaded and described"));
    }

    @Test void a_skill_that_ends_the_process_hangs_or_returns_nothing_fails_with_its_own_frames() throws IOException {
        replace(TEST, "    @Test void", "    @Override public java.time.Duration limit() { return java.time.Duration.ofMillis(500); }\n\n    @Test void");
        replace(SKILL, "Deployment changed = deployment.mapCalls(", "if (deployment != null) System.exit(0);\n Deployment changed = deployment.mapCalls(");
        assertTrue(check(compiled()).get("uploads only what the device reads first").startsWith("fail: assess called System.exit(0) (MySkill.java:"));
        replace(SKILL, "System.exit(0)", "try { Thread.sleep(1000000); } catch (InterruptedException e) { }");
        assertTrue(check(compiled()).get("uploads only what the device reads first").startsWith("fail: assess did not return within 500 ms (MySkill.java:"));
        replace(SKILL, "try { Thread.sleep(1000000); } catch (InterruptedException e) { }", "return null");
        JsonNode json = json(compiled());
        assertFalse(json.get("passed").asBoolean());
        JsonNode own = json.get("checks").valueStream().filter(check -> check.get("check").asString().equals("uploads only what the device reads first")).findFirst().orElseThrow();
        assertEquals("assess returned null", own.get("reason").asString());
        assertEquals("example.MySkillTest", own.get("subject").asString());
        assertTrue(own.get("trace").get(0).asString().startsWith("at example.MySkillTest.uploads_only_what_the_device_reads_first(MySkillTest.java:"), own::toString);
    }

    @Test void tests_of_the_author_are_told_each_with_skipped_and_parameterized_ones() throws IOException {
        replace(TEST, "    @Test void", """
                    @org.junit.jupiter.api.Disabled("not yet") @Test void something_for_later() { }

                    @org.junit.jupiter.params.ParameterizedTest @org.junit.jupiter.params.provider.ValueSource(ints = {1, 2})
                    void a_number_is_one(int number) {
                        org.junit.jupiter.api.Assertions.assertEquals(1, number);
                    }

                    @Test void""");
        CommandRun run = CommandRun.of("skills", "check", compiled().toString());
        assertEquals(1, run.exitCode(), run.err());
        assertTrue(run.out().contains("  skipped  something for later: not yet\n"), run.out());
        assertTrue(run.out().contains("  pass     a number is one, [1] 1\n"), run.out());
        assertTrue(run.out().contains("  fail     a number is one, [2] 2: expected: <1> but was: <2>\n             at example.MySkillTest.a_number_is_one("), run.out());
        assertTrue(run.out().endsWith("15 checks: 13 passed, 1 failed, 1 skipped\n"), run.out());
    }

    @Test void a_jar_is_checked_without_the_author_s_tests_and_one_that_changes_nothing_fails() throws IOException {
        replace(SKILL, ".withTransfer(Transfer.INTERMEDIATE)", "");
        Path jar = jar(compiled());
        SortedMap<String, String> checks = check(jar);
        assertEquals(11, checks.size());
        assertEquals("pass", checks.get("a skill says why it does not apply"));
        assertEquals("fail: the skill does not apply: no call uploads what the device overwrites", checks.get("a skill does not apply twice"));
    }

    @Test void what_cannot_be_loaded_is_a_failed_check() throws IOException {
        replace(SKILL, "    @Override public String name()", "    public MySkill() { throw new IllegalStateException(\"not today\"); }\n\n    @Override public String name()");
        Path jar = jar(compiled());
        assertTrue(check(jar).get("a skill is loaded").startsWith("fail: example.MySkill: its constructor threw IllegalStateException: not today (MySkill.java:"));
        Path empty = Files.createDirectories(folder.resolve("empty/target/classes")).getParent().getParent();
        assertEquals("fail: META-INF/services/dev.npuflow.skill.Skill names no class of it", check(empty).get("a skill is loaded"));
    }

    @Test void a_name_that_a_built_in_skill_has_is_a_failed_check_and_no_name_for_a_new_one() throws IOException {
        replace(SKILL, "return \"my-skill\"", "return \"opt-herd-sizing\"");
        assertEquals("fail: a built-in skill is called opt-herd-sizing, too", check(jar(compiled())).get("a skill has a name of its own"));
        CommandRun run = CommandRun.of("skills", "new", "opt-herd-sizing", "--dir", folder.resolve("x").toString());
        assertEquals(2, run.exitCode());
        assertTrue(run.err().startsWith("NPF-709 "), run.err());
    }

    @Test void a_directory_that_was_not_built_says_how_to_build_it() {
        CommandRun run = CommandRun.of("skills", "check", directory.toString());
        assertEquals(2, run.exitCode());
        assertEquals("", run.out());
        assertTrue(run.err().startsWith("NPF-713 ") && run.err().contains("try sh %s/build.sh first".formatted(directory)), run.err());
        assertTrue(CommandRun.of("skills", "check", folder.resolve("nothing").toString()).err().startsWith("NPF-713 "));
    }

    /// Each check's outcome, with the reason where it has one.
    private static SortedMap<String, String> check(Path place) {
        SortedMap<String, String> checks = new TreeMap<>();
        json(place).get("checks").valueStream().forEach(check -> checks.put(check.get("check").asString(),
                check.get("outcome").asString() + (check.get("reason").asString().isEmpty() ? "" : ": " + check.get("reason").asString())));
        return checks;
    }

    private static JsonNode json(Path place) {
        CommandRun run = CommandRun.of("skills", "check", place.toString(), "--json");
        assertEquals("", run.err());
        assertEquals(run.json().get("passed").asBoolean() ? 0 : 1, run.exitCode());
        return run.json();
    }

    private void replace(Path file, String before, String after) throws IOException {
        String text = Files.readString(directory.resolve(file));
        assertTrue(text.contains(before), text);
        Files.writeString(directory.resolve(file), text.replace(before, after));
    }

    private Path compiled() throws IOException {
        Path classes = Files.createDirectories(directory.resolve("target/classes"));
        Path tests = Files.createDirectories(directory.resolve("target/test-classes"));
        compile(classes, directory.resolve(SKILL), "");
        compile(tests, directory.resolve(TEST), classes + ":");
        Path services = Files.createDirectories(classes.resolve("META-INF/services")).resolve("dev.npuflow.skill.Skill");
        Files.write(services, Files.readAllBytes(directory.resolve("src/main/resources/META-INF/services/dev.npuflow.skill.Skill")));
        Files.write(Files.createDirectories(classes.resolve("META-INF/npuflow/skills/my-skill")).resolve("SKILL.md"), Files.readAllBytes(directory.resolve("SKILL.md")));
        return directory;
    }

    private static void compile(Path to, Path source, String more) {
        List<String> options = new ArrayList<>(List.of("-proc:none", "-nowarn", "-cp", more + System.getProperty("java.class.path"), "-d", to.toString(), source.toString()));
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new)));
    }

    private Path jar(Path built) throws IOException {
        Path classes = built.resolve("target/classes");
        Path jar = folder.resolve("my-skill.jar");
        try (OutputStream out = Files.newOutputStream(jar); JarOutputStream archive = new JarOutputStream(out); Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                archive.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                archive.write(Files.readAllBytes(file));
            }
        }
        return jar;
    }
}
