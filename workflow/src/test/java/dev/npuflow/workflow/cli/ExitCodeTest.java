package dev.npuflow.workflow.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.npuflow.workflow.model.Cases;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a fault's exit code says: 2 for what the user gave, 3 for what the machine around refused.
class ExitCodeTest {

    private static final String MODEL = Cases.folder("e16/model").toString();

    @TempDir Path folder;

    @Test void a_trace_that_cannot_be_written_is_the_environments_fault() {
        CommandRun run = CommandRun.of("estimate", MODEL, "--plan", "baseline", "--trace", folder.resolve("no/such/folder/t.json.gz").toString());
        assertTrue(run.err().startsWith("NPF-342 "), run.err());
        assertEquals(3, run.exitCode());
    }

    @Test void a_field_that_a_device_does_not_have_is_the_users() {
        CommandRun run = CommandRun.of("estimate", MODEL, "--set", "dram.reed_gbps=4");
        assertTrue(run.err().startsWith("NPF-303 "), run.err());
        assertEquals(2, run.exitCode());
    }

    /// A run that may be resumed is one that still runs or was interrupted.
    @Test void a_run_that_a_defect_ended_does_not_look_as_if_it_still_ran() throws IOException {
        Path model = Files.createDirectory(folder.resolve("toy"));
        try (var files = Files.list(Path.of(MODEL))) {
            for (Path file : files.toList()) {
                Files.copy(file, model.resolve(file.getFileName()));
            }
        }
        StringWriter err = new StringWriter();
        PrintWriter failing = new PrintWriter(err) {
            private boolean failed;

            @Override public void println(String line) {
                if (!failed && line.contains("phase 3, step")) {
                    failed = true;
                    throw new IllegalStateException("a defect");
                }
                super.println(line);
            }
        };
        String workspace = folder.resolve("workspace").toString();
        String[] command = {"phase3", model.toString(), "--workspace", workspace};
        assertEquals(3, NpuflowCommand.commandLine().setOut(new PrintWriter(new StringWriter())).setErr(failing).execute(command));
        assertTrue(err.toString().contains("a defect") && err.toString().contains("NPF-899 "), err.toString());
        CommandRun resumed = CommandRun.of("phase3", model.toString(), "--workspace", workspace, "--resume");
        assertTrue(resumed.err().startsWith("NPF-811 "), resumed.err());
    }
}
