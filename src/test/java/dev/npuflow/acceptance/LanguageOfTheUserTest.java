package dev.npuflow.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Arabic as spoken in Egypt has digits of its own, and a Turkish I has no dot: neither may reach a plan, a document or a figure.
class LanguageOfTheUserTest {

    @TempDir
    private Path directory;
    private LauncherSandbox sandbox;

    @BeforeEach
    void install() throws Exception {
        sandbox = new LauncherSandbox(directory);
        sandbox.realJdk();
    }

    @ParameterizedTest
    @CsvSource({"ar, EG", "tr, TR"})
    void a_plan_has_the_same_bytes_in_every_language(String language, String country) throws Exception {
        String[] command = {"plan", SmallModel.copyTo(directory.resolve("models").resolve("small")).toString(), "--json", "--workspace",
                directory.resolve("workspace").toString()};
        var run = sandbox.run(Map.of("NPUFLOW_JAVA_OPTS", "-Duser.language=%s -Duser.country=%s".formatted(language, country)), command);
        assertEquals(0, run.exitCode(), run.toString());
        assertEquals(CommandRun.of(command).out().strip(), String.join("\n", run.lines()).strip());
    }

    @Test
    void a_jvm_without_memory_ends_with_one_line_and_the_code_of_the_environment() throws Exception {
        var run = sandbox.run(Map.of("NPUFLOW_JAVA_OPTS", "-Xmx8m -XX:+UseSerialGC"), "generate", TinyKjv.directory().toString(), "--ids", "1,2", "--workspace", directory.resolve("w").toString());
        assertEquals(3, run.exitCode(), run.toString());
        assertEquals(1, run.err().lines().filter(line -> line.startsWith("NPF-898 ")).count(), run.err());
        assertTrue(run.err().lines().noneMatch(line -> line.startsWith("\tat ")), run.err());
    }
}
