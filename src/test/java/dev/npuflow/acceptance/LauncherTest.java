package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher in an installation of its own, with JDKs that only look like some: their `java` prints its arguments, one a line.
class LauncherTest {

    @TempDir
    private Path directory;
    private LauncherSandbox sandbox;

    @BeforeEach
    void install() throws IOException {
        sandbox = new LauncherSandbox(directory);
    }

    @Test
    void starts_the_jdk_that_java_home_names() throws Exception {
        Path jdk = sandbox.jdk("a", "25.0.3");
        var run = sandbox.run(Map.of("JAVA_HOME", jdk.toString()), "skills");
        assertEquals(0, run.exitCode(), run.err());
        assertEquals("java of a", run.lines().getFirst());
        assertEquals(List.of("dev.npuflow.workflow.cli.Main", "skills"), run.lines().subList(run.lines().size() - 2, run.lines().size()));
    }

    @Test
    void passes_over_a_jdk_17_in_java_home_for_a_newer_one_in_the_usual_places() throws Exception {
        Path old = sandbox.jdk("old", "17.0.15");
        sandbox.jdk("new", "26");
        assertEquals("java of new", sandbox.run(Map.of("JAVA_HOME", old.toString()), "skills").lines().getFirst());
    }

    @Test
    void finds_the_jdk_behind_a_link_on_the_path() throws Exception {
        Path jdk = sandbox.jdk("elsewhere/linked", "25");
        Path bin = Files.createDirectories(directory.resolve("path"));
        Files.createSymbolicLink(bin.resolve("java"), jdk.resolve("bin/java"));
        assertEquals("java of linked", sandbox.run(Map.of("PATH", bin + ":" + sandbox.path()), "skills").lines().getFirst());
    }

    @Test
    void does_not_take_a_runtime_without_the_vector_module() throws Exception {
        sandbox.jdk("stripped", "25", "java.base");
        assertEquals(3, sandbox.run(Map.of(), "skills").exitCode());
    }

    @Test
    void says_how_to_get_a_jdk_when_there_is_none() throws Exception {
        sandbox.jdk("old", "24.0.2");
        var run = sandbox.run(Map.of(), "--help");
        assertEquals(3, run.exitCode());
        assertTrue(run.err().startsWith("NPF-902 no JDK found: expected a JDK >= 25 with jdk.incubator.vector; try "), run.err());
        assertEquals(1, run.err().lines().count());
    }

    @Test
    void does_not_fall_back_from_a_jdk_that_was_asked_for_by_name() throws Exception {
        sandbox.jdk("good", "25");
        Path old = sandbox.jdk("old", "21");
        var run = sandbox.run(Map.of("NPUFLOW_JAVA_HOME", old.toString()), "skills");
        assertEquals(3, run.exitCode());
        assertTrue(run.err().startsWith("NPF-901 NPUFLOW_JAVA_HOME (" + old + ")"), run.err());
    }

    @Test
    void says_make_build_when_nothing_is_built() throws Exception {
        sandbox.jdk("a", "25");
        Files.delete(sandbox.jar());
        var run = sandbox.run(Map.of(), "skills");
        assertEquals(3, run.exitCode());
        assertTrue(run.err().startsWith("NPF-903") && run.err().contains("try 'make build'"), run.err());
    }

    @Test
    void hands_every_argument_on_as_it_is() throws Exception {
        sandbox.jdk("a", "25");
        var lines = sandbox.run(Map.of(), "generate", "a  b", "", "*", "$HOME", "it's").lines();
        assertEquals(List.of("generate", "a  b", "", "*", "$HOME", "it's"), lines.subList(lines.size() - 6, lines.size()));
    }

    @Test
    void works_through_a_chain_of_links_from_another_directory() throws Exception {
        sandbox.jdk("a", "25");
        Files.createSymbolicLink(directory.resolve("first"), sandbox.launcher());
        Path second = Files.createSymbolicLink(directory.resolve("second"), Path.of("first"));
        var run = sandbox.start(second, Map.of(), "skills");
        assertTrue(run.lines().contains(sandbox.jar().toString()), run.toString());
    }

    @Test
    void lets_main_add_the_vector_module_where_something_is_computed_and_not_for_help() throws Exception {
        sandbox.jdk("a", "25");
        assertTrue(sandbox.run(Map.of(), "verify", "tiny_kjv").lines().contains("java.base/jdk.internal.module=ALL-UNNAMED"));
        assertFalse(sandbox.run(Map.of(), "--help").lines().contains("java.base/jdk.internal.module=ALL-UNNAMED"));
    }

    @Test
    void gives_the_jvm_utf_8_where_the_locale_is_none() throws Exception {
        sandbox.jdk("a", "25");
        assertTrue(sandbox.run(Map.of(), "skills").lines().contains("locale C.UTF-8"));
        assertTrue(sandbox.run(Map.of("LANG", "de_DE.UTF-8", "LC_ALL", "C"), "skills").lines().contains("locale C.UTF-8"));
    }

    @Test
    void leaves_a_locale_that_the_user_chose() throws Exception {
        sandbox.jdk("a", "25");
        assertTrue(sandbox.run(Map.of("LANG", "de_DE.UTF-8"), "skills").lines().contains("locale de_DE.UTF-8"));
    }

    @Test
    void becomes_the_jvm_so_that_signals_and_exit_codes_are_its_own() throws Exception {
        sandbox.jdk("a", "25");
        var run = sandbox.run(Map.of("FAKE_EXIT", "143"), "skills");
        assertEquals(143, run.exitCode());
        assertTrue(run.lines().contains("pid " + run.pid()), run.toString());
    }

    @Test
    void makes_the_class_archive_once_and_again_when_a_jar_is_newer() throws Exception {
        sandbox.jdkWithClassArchive("a");
        sandbox.run(Map.of(), "skills");
        assertEquals("archive\n", Files.readString(sandbox.archive()));
        Files.writeString(sandbox.archive(), "kept\n");
        assertTrue(sandbox.run(Map.of(), "skills").lines().contains("-XX:SharedArchiveFile=" + sandbox.archive()));
        assertEquals("kept\n", Files.readString(sandbox.archive()));
        sandbox.ageArchive();
        sandbox.run(Map.of(), "skills");
        assertEquals("archive\n", Files.readString(sandbox.archive()));
        assertEquals(List.of("bin", "lib", "npuflow.jsa"), sandbox.files());
    }

    @Test
    void starts_without_an_archive_where_none_can_be_made() throws Exception {
        sandbox.jdk("a", "25");
        var run = sandbox.run(Map.of(), "skills");
        assertEquals(0, run.exitCode(), run.err());
        assertTrue(run.lines().stream().noneMatch(line -> line.startsWith("-XX:SharedArchiveFile")));
    }
}
