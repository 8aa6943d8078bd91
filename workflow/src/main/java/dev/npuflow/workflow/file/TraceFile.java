package dev.npuflow.workflow.file;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.trace.ChromeTrace;
import java.io.IOException;
import java.nio.file.Path;

/// The file of a `--trace`.
public final class TraceFile {

    private TraceFile() {}

    /// Writes the spans of one run as a Chrome trace. Where the run fails, no file is made, and one of this name stays as it was.
    ///
    /// @throws NpuflowException NPF-342 when the file cannot be written
    public static void write(Path file, ChromeTrace.Spans spans) {
        try {
            WholeFile.write(file, out -> ChromeTrace.write(out, spans));
        } catch (IOException e) {
            throw NpuflowException.environment("NPF-342", "trace " + file + " cannot be written", FileReason.of(e), "a path in a writable directory",
                    "--trace out.json.gz");
        }
    }
}
