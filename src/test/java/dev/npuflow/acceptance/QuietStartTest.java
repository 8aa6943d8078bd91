package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.cli.Main;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a JVM that the launcher starts writes to standard error by itself.
class QuietStartTest {

    @TempDir
    private Path directory;
    private LauncherSandbox sandbox;

    @BeforeEach
    void install() throws Exception {
        sandbox = new LauncherSandbox(directory);
        sandbox.realJdk();
    }

    @Test
    void the_reference_has_its_vectors_and_the_jvm_does_not_announce_them() throws Exception {
        var run = sandbox.run(Map.of(), generate());
        assertTrue(quiet(run) && fast(run), run.toString());
        assertTrue(Files.exists(sandbox.archive()), "this start had the class archive");
    }

    @Test
    void nor_does_the_jvm_announce_them_where_there_is_no_class_archive() throws Exception {
        var run = sandbox.run(Map.of("NPUFLOW_JAVA_OPTS", "-Xshare:off"), generate());
        assertTrue(quiet(run) && fast(run), run.toString());
    }

    @Test
    void a_jvm_that_was_started_without_the_launcher_says_that_it_is_slow_and_which_option_helps() throws Exception {
        Path java = Path.of(System.getProperty("java.home"), "bin/java");
        Stream<String> options = Stream.of("-cp", sandbox.jar().toString(), Main.class.getName());
        var run = sandbox.start(java, Map.of(), Stream.concat(options, Stream.of(generate())).toArray(String[]::new));
        assertFalse(fast(run), run.toString());
        assertTrue(run.err().contains("try NPUFLOW_JAVA_OPTS='--add-modules jdk.incubator.vector'"), run.err());
    }

    @Test
    void a_user_who_adds_the_module_himself_reads_the_line_of_the_jvm() throws Exception {
        var run = sandbox.run(Map.of("NPUFLOW_JAVA_OPTS", "-Xshare:off --add-modules jdk.incubator.vector"), "--version");
        assertFalse(quiet(run), run.toString());
    }

    @Test
    void what_the_jvm_says_of_an_option_that_it_does_not_know_arrives() throws Exception {
        var run = sandbox.run(Map.of("NPUFLOW_JAVA_OPTS", "-XX:+NoSuchOption"), "--version");
        assertEquals(1, run.exitCode());
        assertEquals(List.of("Unrecognized VM option 'NoSuchOption'", "Error: Could not create the Java Virtual Machine."), run.err().lines().limit(2).toList());
    }

    private String[] generate() {
        return new String[] {"generate", TinyKjv.directory().toString(), "--engine", "reference", "--ids", "1,2", "-n", "1",
                "--workspace", directory.resolve("workspace").toString()};
    }

    private static boolean quiet(LauncherSandbox.Run run) {
        return run.exitCode() == 0 && run.err().lines().noneMatch(line -> line.startsWith("WARNING"));
    }

    private static boolean fast(LauncherSandbox.Run run) {
        return run.exitCode() == 0 && !run.err().contains("reference: scalar arithmetic");
    }
}
