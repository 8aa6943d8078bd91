package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The commands that an error names where no JDK or no Maven is found: those of the system at hand.
class InstallHintTest {

    @TempDir
    private Path directory;
    private LauncherSandbox sandbox;

    @BeforeEach
    void user() throws Exception {
        sandbox = new LauncherSandbox(directory);
        sandbox.command("uname", "echo Linux");
        sandbox.command("id", "echo 1000");
    }

    @ParameterizedTest
    @CsvSource({
            "'ID=fedora', 'sudo dnf install java-25-openjdk-devel', 'sudo dnf install maven'",
            "'ID=\"rocky\"|ID_LIKE=\"rhel centos fedora\"', 'sudo dnf install java-25-openjdk-devel', 'sudo dnf install maven'",
            "'ID=arch', 'sudo pacman -S jdk-openjdk', 'sudo pacman -S maven'",
            "'ID=manjaro|ID_LIKE=arch', 'sudo pacman -S jdk-openjdk', 'sudo pacman -S maven'",
    })
    void each_family_of_systems_has_its_own(String release, String jdk, String maven) throws Exception {
        assertEquals("'" + jdk + "'", hint(release, "jdk"));
        assertEquals("'" + maven + "'", hint(release, "maven"));
    }

    @Test
    void a_system_that_is_not_known_is_shown_the_pages() throws Exception {
        assertEquals("https://adoptium.net/temurin/releases/?version=25", hint("ID=plan9", "jdk"));
        assertEquals("https://maven.apache.org/download.cgi", hint("ID=plan9", "maven"));
    }

    @Test
    void a_debian_that_has_the_package_installs_it() throws Exception {
        sandbox.command("apt-cache", "echo \"$2:\"; echo '  Installed: (none)'; echo '  Candidate: 25.0.3+9-1'");
        assertEquals("'sudo apt-get install openjdk-25-jdk-headless'", hint("ID=debian|VERSION_CODENAME=trixie", "jdk"));
    }

    @ParameterizedTest
    @CsvSource({"'ID=debian|VERSION_CODENAME=bookworm', bookworm", "'ID=ubuntu|ID_LIKE=debian|VERSION_CODENAME=noble|UBUNTU_CODENAME=noble', noble",
            "'ID=linuxmint|ID_LIKE=\"ubuntu debian\"|VERSION_CODENAME=wilma|UBUNTU_CODENAME=noble', noble"})
    void one_that_has_not_adds_the_archive_of_temurin_for_its_release(String release, String codename) throws Exception {
        sandbox.command("apt-cache", "echo \"$2:\"; echo '  Candidate: (none)'");
        String hint = hint(release, "jdk");
        assertTrue(hint.contains("deb https://packages.adoptium.net/artifactory/deb " + codename + " main | sudo tee "), hint);
        assertTrue(hint.endsWith("sudo apt-get install temurin-25-jdk'"), hint);
        assertEquals("'sudo apt-get install maven'", hint(release, "maven"));
    }

    @Test
    void the_superuser_needs_no_sudo() throws Exception {
        sandbox.command("id", "echo 0");
        assertEquals("'apt-get install maven'", hint("ID=debian", "maven"));
    }

    @Test
    void macos_has_homebrew() throws Exception {
        sandbox.command("uname", "echo Darwin");
        sandbox.command("brew", "exit 1");
        assertEquals("'brew install openjdk'", hint("", "jdk"));
        assertEquals("'brew install maven'", hint("", "maven"));
    }

    @ParameterizedTest @CsvSource({"arm64, aarch64", "x86_64, x64"})
    void or_the_archive_of_temurin_for_the_place_where_find_jdk_looks(String machine, String architecture) throws Exception {
        sandbox.command("uname", "case $1 in -m) echo %s ;; *) echo Darwin ;; esac".formatted(machine));
        String hint = hint("", "jdk");
        assertTrue(hint.contains("/mac/%s/jdk/".formatted(architecture)) && hint.contains("tar -xz -C '%s/.jdk'".formatted(sandbox.home())), hint);
        Path bundle = sandbox.home().resolve(".jdk/jdk-25/Contents/Home");
        LauncherSandbox.jdk(bundle, "25", "java.base jdk.incubator.vector");
        assertEquals(bundle.toString(), sandbox.start(sandbox.home().resolve("bin/find-jdk"), Map.of()).lines().getFirst());
    }

    private String hint(String release, String what) throws Exception {
        Path file = Files.writeString(directory.resolve("os-release"), release.replace('|', '\n') + "\n");
        var run = sandbox.start(sandbox.home().resolve("bin/install-hint"), Map.of("NPUFLOW_OS_RELEASE", file.toString()), what);
        assertEquals("", run.err());
        return String.join("\n", run.lines());
    }
}
