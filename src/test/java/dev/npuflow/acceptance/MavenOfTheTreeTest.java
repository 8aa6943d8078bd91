package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Which Maven `bin/maven` runs: scripts stand for the installed one and for the wrapper.
class MavenOfTheTreeTest {

    private static final Path ROOT = Path.of(System.getProperty("npuflow.root"));
    private static final Map<String, String> MAY_FETCH = Map.of("NPUFLOW_NO_DOWNLOAD", "");

    @TempDir
    private Path directory;
    private LauncherSandbox sandbox;
    private Path jdk;

    @BeforeEach
    void install() throws Exception {
        sandbox = new LauncherSandbox(directory);
        jdk = sandbox.jdk("a", "25");
        Files.createDirectories(sandbox.home().resolve(".mvn/wrapper"));
        Files.copy(ROOT.resolve(".mvn/wrapper/maven-wrapper.properties"), sandbox.home().resolve(".mvn/wrapper/maven-wrapper.properties"));
        LauncherSandbox.script(sandbox.home().resolve("mvnw"), "#!/bin/sh\necho \"wrapper $JAVA_HOME $JAVA25_HOME\"\nprintf '%s\\n' \"$@\"\nexit 7\n");
    }

    @ParameterizedTest @ValueSource(strings = {"Apache Maven 3.8.1 (x)", "\033[1mApache Maven 3.9.16 (x)\033[m", "Apache Maven 4.0.0"})
    void an_installed_one_that_is_new_enough_wins(String version) throws Exception {
        installed("echo '%s'".formatted(version));
        assertEquals(List.of("installed ", jdk.toString(), "-q", "a b"), maven(MAY_FETCH, "-q", "a b").lines());
    }

    @ParameterizedTest @ValueSource(strings = {"echo 'Apache Maven 3.6.3 (x)'", "echo 'Apache Maven 3.0.5'", "exit 1"})
    void an_old_or_a_broken_one_does_not(String version) throws Exception {
        installed(version);
        assertEquals("wrapper %1$s %1$s".formatted(jdk), maven(MAY_FETCH).lines().getFirst());
    }

    @Test
    void one_that_finds_no_java_of_its_own_is_given_the_jdk() throws Exception {
        installed("[ -n \"$JAVA_HOME\" ] && echo 'Apache Maven 3.9.9'");
        assertEquals("installed " + jdk, maven(Map.of()).lines().getFirst());
    }

    @Test
    void without_one_the_wrapper_runs_and_what_it_fetches_is_announced() throws Exception {
        var run = maven(MAY_FETCH, "verify", "a b");
        assertEquals(List.of("wrapper %1$s %1$s".formatted(jdk), "verify", "a b"), run.lines());
        assertEquals(7, run.exitCode());
        assertEquals("No Maven >= 3.8 found. Fetching %s, about 9 MB, into %s/.m2/wrapper. NPUFLOW_NO_DOWNLOAD=1 forbids this.\n"
                .formatted(pinned(), jdk.getParent()), run.err());
    }

    @Test
    void nothing_is_fetched_where_the_user_forbids_it() throws Exception {
        var run = maven(Map.of());
        assertEquals(3, run.exitCode());
        assertTrue(run.err().startsWith("NPF-909 no Maven found: expected Maven >= 3.8; try "), run.err());
        assertEquals(List.of(), run.lines());
    }

    @Test
    void what_the_wrapper_fetched_before_may_run_without_a_word() throws Exception {
        Path bin = Files.createDirectories(jdk.getParent().resolve(".m2/wrapper/dists").resolve(pinned()).resolve("a1b2/bin"));
        LauncherSandbox.script(bin.resolve("mvn"), "#!/bin/sh\n");
        var run = maven(Map.of());
        assertEquals("wrapper %1$s %1$s".formatted(jdk), run.lines().getFirst());
        assertEquals("", run.err());
    }

    @Test
    void without_a_jdk_no_maven_is_started() throws Exception {
        installed("echo 'Apache Maven 3.9.9'");
        Files.delete(jdk.resolve("release"));
        var run = maven(Map.of());
        assertEquals(3, run.exitCode());
        assertTrue(run.err().startsWith("NPF-902 "), run.err());
        assertEquals(List.of(), run.lines());
    }

    @Test
    void the_jdk_unpacks_where_the_system_has_no_unzip() throws Exception {
        Path archive = directory.resolve("maven.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(archive))) {
            zip.putNextEntry(new ZipEntry("apache-maven/bin/mvn"));
            zip.write("#!/bin/sh\necho it runs\n".getBytes());
        }
        Path unpacked = Files.createDirectory(directory.resolve("unpacked"));
        sandbox.commands("chmod");
        var run = sandbox.start(ROOT.resolve("bin/without-unzip/unzip"), Map.of("JAVA_HOME", System.getProperty("java.home")),
                "-q", archive.toString(), "-d", unpacked.toString());
        assertEquals(0, run.exitCode(), run.err());
        assertEquals(List.of("it runs"), sandbox.start(unpacked.resolve("apache-maven/bin/mvn"), Map.of()).lines());
    }

    @Test
    void the_wrapper_pins_a_version_and_its_sum() throws Exception {
        assertTrue(properties().getProperty("distributionUrl").matches("https://repo\\.maven\\.apache\\.org/\\S+-bin\\.zip"));
        assertTrue(properties().getProperty("distributionSha256Sum").matches("[0-9a-f]{64}"));
        assertFalse(Files.readString(ROOT.resolve("mvnw")).isEmpty());
    }

    private void installed(String version) throws Exception {
        sandbox.command("mvn", "case $1 in -v) %s ;; *) echo \"installed ${JAVA_HOME:-}\"; echo \"$JAVA25_HOME\"; printf '%%s\\n' \"$@\" ;; esac".formatted(version));
    }

    private LauncherSandbox.Run maven(Map<String, String> environment, String... arguments) throws Exception {
        return sandbox.start(sandbox.home().resolve("bin/maven"), environment, arguments);
    }

    private static String pinned() throws Exception {
        return properties().getProperty("distributionUrl").replaceAll(".*/|-bin\\.zip$", "");
    }

    private static Properties properties() throws Exception {
        Properties properties = new Properties();
        try (var in = Files.newInputStream(ROOT.resolve(".mvn/wrapper/maven-wrapper.properties"))) {
            properties.load(in);
        }
        return properties;
    }
}
