package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The JDK that the launcher fetches where the machine has none, from a server of this test.
@EnabledOnOs(OS.LINUX)
class FetchedJdkTest {

    private static final String MODULES = "java.base jdk.incubator.vector";

    @TempDir
    private Path directory;
    private LauncherSandbox sandbox;
    private JdkServer server;
    private byte[] archive;

    @BeforeEach
    void serve() throws Exception {
        sandbox = new LauncherSandbox(directory);
        sandbox.commands("mkdir", "rmdir", "sleep", "wc", "tar", "gzip", "curl", "sha256sum");
        server = new JdkServer();
        archive = JdkServer.archiveOf(LauncherSandbox.jdk(directory.resolve("made/jdk-25.0.4.1+1"), "25.0.4.1", MODULES));
        sandbox.allowFetching(server.lock(archive));
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void the_pinned_jdk_is_fetched_once_where_there_is_none_and_the_launcher_says_so() throws Exception {
        server.serve(archive);
        var run = sandbox.run(Map.of(), "skills");
        assertEquals(0, run.exitCode(), run.err());
        assertEquals("java of jdk-25.0.4.1+1", run.lines().getFirst());
        assertEquals(List.of("No JDK >= 25 found. Fetching one, about 7 MB, into %s:".formatted(jdks()), "  " + server.address(),
                "NPUFLOW_NO_DOWNLOAD=1 forbids this. A JDK that you install later goes first."), run.err().lines().toList());
        var again = sandbox.run(Map.of(), "skills");
        assertEquals(List.of("java of jdk-25.0.4.1+1", ""), List.of(again.lines().getFirst(), again.err()));
        assertEquals(1, server.requests());
        assertEquals(List.of("jdk-25"), fetched());
    }

    @Test
    void what_is_installed_wins_over_what_was_fetched() throws Exception {
        server.serve(archive);
        sandbox.run(Map.of(), "skills");
        sandbox.jdk("installed", "25");
        assertEquals("java of installed", sandbox.run(Map.of(), "skills").lines().getFirst());
    }

    @Test
    void nothing_is_fetched_where_a_jdk_is_installed() throws Exception {
        server.serve(archive);
        sandbox.jdk("installed", "25");
        sandbox.run(Map.of(), "skills");
        assertEquals(0, server.requests());
        assertFalse(Files.exists(jdks()));
    }

    @ParameterizedTest @CsvSource({"NPUFLOW_NO_DOWNLOAD, 1, NPF-902", "NPUFLOW_JAVA_HOME, /nowhere, NPF-901"})
    void nothing_is_fetched_where_the_user_forbids_it_or_named_another_jdk(String variable, String value, String id) throws Exception {
        server.serve(archive);
        var run = sandbox.run(Map.of(variable, value), "skills");
        assertEquals(3, run.exitCode());
        assertTrue(run.err().startsWith(id) && run.err().lines().count() == 1, run.err());
        assertEquals(0, server.requests());
        assertFalse(Files.exists(jdks()));
    }

    @Test
    void an_address_without_the_archive_is_refused() throws Exception {
        server.serve(exchange -> exchange.sendResponseHeaders(404, -1));
        refused("NPF-906 " + server.address() + ": expected a JDK to be fetched whole; try again, or ");
    }

    @Test
    void an_archive_that_ends_early_is_refused() throws Exception {
        server.serve(exchange -> JdkServer.answer(exchange, archive, archive.length + 1));
        refused("NPF-906 " + server.address() + ": expected a JDK to be fetched whole; try again, or ");
    }

    @Test
    void an_archive_in_which_one_bit_is_wrong_is_refused() throws Exception {
        byte[] wrong = archive.clone();
        wrong[wrong.length / 2] ^= 1;
        server.serve(wrong);
        refused("NPF-907 " + server.address() + " (SHA-256 ");
    }

    @Test
    void what_has_the_pinned_sum_and_is_no_archive_is_refused() throws Exception {
        byte[] page = "<html>sign in".getBytes();
        server.serve(page);
        sandbox.allowFetching(server.lock(page));
        refused("NPF-908 " + server.address() + ": expected an archive of a JDK that runs here");
    }

    @Test
    void an_archive_of_an_old_jdk_is_refused() throws Exception {
        byte[] old = JdkServer.archiveOf(LauncherSandbox.jdk(directory.resolve("made/jdk-17"), "17", MODULES));
        server.serve(old);
        sandbox.allowFetching(server.lock(old));
        refused("NPF-908 ");
    }

    @Test
    void an_archive_of_a_jdk_that_does_not_run_here_is_refused() throws Exception {
        Path jdk = LauncherSandbox.jdk(directory.resolve("made/jdk-of-another-processor"), "25", MODULES);
        LauncherSandbox.script(jdk.resolve("bin/java"), "#!/bin/sh\nexit 126\n");
        byte[] other = JdkServer.archiveOf(jdk);
        server.serve(other);
        sandbox.allowFetching(server.lock(other));
        refused("NPF-908 ");
    }

    @ParameterizedTest @ValueSource(strings = {"HUP", "INT", "TERM"})
    void a_fetch_that_is_interrupted_leaves_nothing(String signal) throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        server.serve(exchange -> {
            JdkServer.answer(exchange, archive, archive.length + 1);
            begun.countDown();
            forever();
        });
        var running = sandbox.begin(sandbox.home().resolve("bin/ensure-jdk"), Map.of());
        begun.await();
        new ProcessBuilder("kill", "-" + signal, Long.toString(running.process().pid())).start().waitFor();
        assertEquals(128 + Map.of("HUP", 1, "INT", 2, "TERM", 15).get(signal), running.end().exitCode());
        assertFalse(Files.exists(jdks()));
    }

    @Test
    void two_that_fetch_at_once_get_one_jdk() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        server.serve(exchange -> {
            both.countDown();
            await(both);
            JdkServer.answer(exchange, archive, archive.length);
        });
        var first = sandbox.begin(sandbox.launcher(), Map.of(), "skills");
        var second = sandbox.begin(sandbox.launcher(), Map.of(), "skills");
        for (var run : List.of(first.end(), second.end())) {
            assertEquals("java of jdk-25.0.4.1+1", run.lines().getFirst(), run.err());
        }
        assertEquals(List.of("jdk-25"), fetched());
        assertEquals(List.of("bin", "release"), names(jdks().resolve("jdk-25")));
    }

    @Test
    void what_a_killed_fetch_left_and_a_jdk_that_lost_parts_are_replaced() throws Exception {
        server.serve(archive);
        sandbox.run(Map.of(), "skills");
        Files.delete(jdks().resolve("jdk-25/bin/java"));
        Files.createDirectories(jdks().resolve(".new-4194304/content"));
        assertEquals("java of jdk-25.0.4.1+1", sandbox.run(Map.of(), "skills").lines().getFirst());
        assertEquals(List.of("jdk-25"), fetched());
        assertEquals(List.of("bin", "release"), names(jdks().resolve("jdk-25")));
    }

    @Test
    void wget_and_shasum_do_as_well() throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/bin/wget")) && Files.exists(Path.of("/usr/bin/shasum")));
        Files.delete(sandbox.path().resolve("curl"));
        Files.delete(sandbox.path().resolve("sha256sum"));
        sandbox.commands("wget", "shasum");
        server.serve(archive);
        var run = sandbox.run(Map.of(), "skills");
        assertEquals("java of jdk-25.0.4.1+1", run.lines().getFirst(), run.err());
    }

    @Test
    void the_commands_that_are_missing_are_named() throws Exception {
        Files.delete(sandbox.path().resolve("curl"));
        Files.delete(sandbox.path().resolve("sha256sum"));
        server.serve(archive);
        refused("NPF-904 no JDK found, and none can be fetched without curl or wget and sha256sum or shasum: ");
    }

    @Test
    void a_place_that_cannot_hold_it_is_named() throws Exception {
        Files.createFile(jdks());
        var run = sandbox.run(Map.of(), "skills");
        assertEquals(3, run.exitCode());
        assertTrue(run.err().startsWith("NPF-905 " + jdks() + ": expected a directory"), run.err());
        assertTrue(Files.isRegularFile(jdks()));
    }

    private void refused(String line) throws Exception {
        var run = sandbox.run(Map.of(), "skills");
        assertEquals(3, run.exitCode());
        assertTrue(run.err().lines().toList().getLast().startsWith(line), run.err());
        assertFalse(Files.exists(jdks()), "nothing stays");
    }

    private Path jdks() {
        return sandbox.home().resolve(".jdk");
    }

    private List<String> fetched() throws Exception {
        return names(jdks());
    }

    private static List<String> names(Path folder) throws Exception {
        try (var files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static void forever() {
        await(new CountDownLatch(1));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }
}
