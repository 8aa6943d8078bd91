package dev.npuflow.acceptance;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// An installed npuflow with one empty jar, and JDKs made of a `release` file and a script.
final class LauncherSandbox {

    private static final String FAKE_JAVA = """
            #!/bin/sh
            for argument; do
                case $argument in -XX:ArchiveClassesAtExit=*) echo archive > "${argument#*=}"; exit 0 ;; esac
            done
            echo 'java of NAME'
            echo "pid $$"
            echo "locale ${LC_ALL:-${LANG:-}}"
            printf '%s\\n' "$@"
            exit ${FAKE_EXIT:-0}
            """;

    record Run(long pid, int exitCode, List<String> lines, String err) {}

    private final Path home;
    private final Path jdks;
    private final Path path;
    private final SortedMap<String, String> asked = new TreeMap<>();

    LauncherSandbox(Path directory) throws IOException {
        Path root = Path.of(System.getProperty("npuflow.root"));
        home = Files.createDirectories(directory.toRealPath().resolve("an installation"));
        jdks = Files.createDirectories(directory.resolve("jdks"));
        Files.createDirectories(home.resolve("bin"));
        Files.createDirectories(home.resolve("lib"));
        for (String script : List.of("npuflow", "find-jdk", "ensure-jdk", "install-hint", "maven")) {
            Files.copy(root.resolve("bin").resolve(script), home.resolve("bin").resolve(script), StandardCopyOption.COPY_ATTRIBUTES);
        }
        Files.createFile(jar());
        // No other command of this machine, least of all its own java, is on the path.
        path = Files.createDirectories(directory.resolve("commands"));
        commands("readlink", "mv", "rm", "uname", "id", "sed");
        // What a test fetches it serves itself.
        asked.put("NPUFLOW_NO_DOWNLOAD", "1");
    }

    /// Puts commands of this machine on the path.
    void commands(String... names) throws IOException {
        for (String name : names) {
            Path usual = Files.exists(Path.of("/usr/bin", name)) ? Path.of("/usr/bin", name) : Path.of("/bin", name);
            command(name, "exec %s \"$@\"".formatted(usual));
        }
    }

    /// Puts a command that does `what` on the path.
    void command(String name, String what) throws IOException {
        script(path.resolve(name), "#!/bin/sh\n%s\n".formatted(what));
    }

    /// Lets JDKs be fetched, from what `lock` pins.
    void allowFetching(String lock) throws IOException {
        asked.put("NPUFLOW_NO_DOWNLOAD", "");
        Files.writeString(home.resolve("bin/jdk.lock"), lock);
    }

    Path home() {
        return home;
    }

    Path jdk(String name, String version) throws IOException {
        return jdk(name, version, "java.base jdk.incubator.vector");
    }

    Path jdk(String name, String version, String modules) throws IOException {
        return jdk(jdks.resolve(name), version, modules);
    }

    /// A JDK in no usual place.
    static Path jdk(Path jdk, String version, String modules) throws IOException {
        Files.createDirectories(jdk.resolve("bin"));
        Files.writeString(jdk.resolve("release"), "JAVA_VERSION=\"%s\"%nMODULES=\"%s\"%n".formatted(version, modules));
        script(jdk.resolve("bin/java"), FAKE_JAVA.replace("NAME", jdk.getFileName().toString()));
        return jdk;
    }

    void jdkWithClassArchive(String name) throws IOException {
        Path jdk = jdk(name, "25");
        Files.createDirectories(jdk.resolve("lib/server"));
        Files.createFile(jdk.resolve("lib/server/classes.jsa"));
    }

    /// The JDK of this test and npuflow itself, without the classes of the tests, behind one jar that only names them.
    void realJdk() throws IOException {
        asked.put("NPUFLOW_JAVA_HOME", System.getProperty("java.home"));
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.endsWith("test-classes")).map(entry -> Path.of(entry).toUri().toString()).collect(Collectors.joining(" ")));
        try (OutputStream out = Files.newOutputStream(jar())) {
            new JarOutputStream(out, manifest).close();
        }
    }

    /// What stands for a `PATH` without java.
    Path path() {
        return path;
    }

    Path launcher() {
        return home.resolve("bin/npuflow");
    }

    Path jar() {
        return home.resolve("lib/npuflow.jar");
    }

    Path archive() {
        return home.resolve("npuflow.jsa");
    }

    /// Makes the archive older than everything it was made from.
    void ageArchive() throws IOException {
        Files.setLastModifiedTime(archive(), FileTime.fromMillis(0));
    }

    List<String> files() throws IOException {
        try (var files = Files.list(home)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    Run run(Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        return start(launcher(), environment, arguments);
    }

    Run start(Path launcher, Map<String, String> environment, String... arguments) throws IOException, InterruptedException {
        return begin(launcher, environment, arguments).end();
    }

    /// A process and the files that take what it writes.
    record Begun(Process process, Path out, Path err) {

        Run end() throws IOException, InterruptedException {
            int exitCode = process.waitFor();
            return new Run(process.pid(), exitCode, Files.readAllLines(out, StandardCharsets.UTF_8), Files.readString(err));
        }
    }

    Begun begin(Path launcher, Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(launcher.toString()));
        command.addAll(List.of(arguments));
        Path out = Files.createTempFile(jdks.getParent(), "out", "");
        Path err = Files.createTempFile(jdks.getParent(), "err", "");
        var builder = new ProcessBuilder(command).directory(Path.of("/").toFile()).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().clear();
        builder.environment().putAll(Map.of("PATH", path.toString(), "HOME", jdks.toString(), "NPUFLOW_JDK_ROOTS", jdks.toString()));
        builder.environment().putAll(asked);
        builder.environment().putAll(environment);
        return new Begun(builder.start(), out, err);
    }

    static void script(Path file, String text) throws IOException {
        Files.writeString(file, text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
