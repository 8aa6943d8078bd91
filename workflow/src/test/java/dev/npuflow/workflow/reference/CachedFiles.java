package dev.npuflow.workflow.reference;

import dev.npuflow.workflow.generation.TokenTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The cache of the reference, for tests elsewhere: a good file of each kind, and the readers that look whether to believe one.
public final class CachedFiles {

    private static final TraceKey KEY = new TraceKey("a model", List.of(1, 2), 2, 3, "an arithmetic");
    private static final String LOGITS = "00".repeat(32);

    private final TraceCache traces;
    private final Path trace;
    private final Path logits;

    public CachedFiles(Path directory) {
        this.traces = new TraceCache(directory, _ -> { });
        this.trace = directory.resolve(KEY.fileName());
        this.logits = directory.resolve("logits");
        traces.put(KEY, new TokenTrace(List.of(1, 2), List.of(List.of(1, 5, 6), List.of(2, 7, 8))));
        try (LogitFile.Writer writer = new LogitFile.Writer(logits, LOGITS, 2)) {
            writer.add(0.5, new float[] {1, 2, 3, 4});
            writer.add(0.25, new float[] {4, 3, 2, 1});
            writer.finish();
        }
    }

    public byte[] trace() throws IOException {
        return Files.readAllBytes(trace);
    }

    public byte[] logits() throws IOException {
        return Files.readAllBytes(logits);
    }

    /// What is believed is right: a damaged file is as one that is not there.
    public void read(byte[] input) throws IOException {
        Files.write(trace, input);
        Files.write(logits, input);
        traces.find(KEY).ifPresent(found -> requireRight(found.chosen().equals(List.of(1, 2))));
        Optional<LogitFile> file = LogitFile.find(logits, LOGITS, 2, _ -> { });
        file.ifPresent(found -> requireRight(found.unrounded(1)[0] == 4));
    }

    private static void requireRight(boolean right) {
        if (!right) {
            throw new IllegalStateException("a damaged file is believed");
        }
    }
}
