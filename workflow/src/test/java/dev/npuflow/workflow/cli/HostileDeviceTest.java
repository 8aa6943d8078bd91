package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.model.Cases;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The name in a device file of a stranger is text that commands and documents show.
class HostileDeviceTest {

    private static final String NAME = "mine\u001b[2J\u202e\nNPF-000 forged";
    private static final Pattern ODD = Pattern.compile("[\\p{C}&&[^\\n]]");

    @TempDir Path folder;

    private String device() throws IOException {
        String shipped = Files.readString(Path.of("../npu-sim/devices/npu2.yaml"));
        return Files.writeString(folder.resolve("mine.yaml"), shipped.replaceFirst("(?m)^device: .*$", "device: \"mine\\\\e[2J\\\\u202e\\\\nNPF-000 forged\""))
                .toString();
    }

    /// A model of the tests, of which a command may write documents.
    private String model() throws IOException {
        Path model = Files.createDirectory(folder.resolve("model"));
        try (Stream<Path> files = Files.list(Cases.folder("e16/model"))) {
            for (Path file : files.toList()) {
                Files.copy(file, model.resolve(file.getFileName()));
            }
        }
        return model.toString();
    }

    private static void assertHarmless(String text) {
        assertTrue(!ODD.matcher(text).find() && text.lines().noneMatch(line -> line.startsWith("NPF-000")), text);
    }

    private CommandRun run(String... words) throws IOException {
        CommandRun run = CommandRun.of(Stream.concat(Stream.of(words), Stream.of("--device", device())).toArray(String[]::new));
        assertFalse(run.err().contains("NPF-801"), run.err());
        assertHarmless(run.out() + run.err());
        return run;
    }

    @ParameterizedTest
    @ValueSource(strings = {"estimate MODEL", "estimate MODEL --plan baseline", "profile MODEL -n 2", "compile MODEL", "generate MODEL -n 2 --prompt a",
        "verify MODEL", "diagnosis MODEL", "localize MODEL", "phase3 MODEL", "phase5 MODEL"})
    void on_no_terminal_and_in_no_document_it_starts_a_line_or_steers_anything(String command) throws IOException {
        String workspace = folder.resolve("workspace").toString();
        Stream<String> place = command.startsWith("estimate") ? Stream.of() : Stream.of("--workspace", workspace);
        run(Stream.concat(Stream.of(command.replace("MODEL", model()).split(" ")), place).toArray(String[]::new));
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path document : files.filter(file -> file.toString().endsWith(".md")).toList()) {
                assertHarmless(Files.readString(document));
            }
        }
    }

    @Test void not_where_a_device_itself_is_shown_either() throws IOException {
        assertTrue(run("sim", "probe").out().contains("mine [2J NPF-000 forged"));
        run("kernels", "check", "gemv", "--set", "array.columns=0");
    }

    @Test void json_has_the_name_as_it_is() throws IOException {
        assertEquals(NAME, CommandRun.of("sim", "probe", "--json", "--device", device()).json().get("device").asString());
    }
}
