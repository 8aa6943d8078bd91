package dev.npuflow.workflow.reference;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.workflow.file.FileReason;
import dev.npuflow.workflow.file.WholeFile;
import dev.npuflow.workflow.generation.TokenTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/// One JSON file a trace, named by its key's hash. A file is believed only if it parses, holds its own key and its checksum is right.
///
/// @param notices told of a file that is not believed
record TraceCache(Path directory, Consumer<String> notices) {

    private record Entry(TraceKey key, TokenTrace trace) {}

    private record Sealed(Entry entry, String sha256) {}

    /// A trace has a few hundred ids; more is not ours.
    private static final long MOST_BYTES = 16L << 20;

    Optional<TokenTrace> find(TraceKey key) {
        Path file = directory.resolve(key.fileName());
        if (!Files.isRegularFile(file)) {
            return Optional.empty();
        }
        Optional<TokenTrace> trace = read(file).filter(sealed -> sealed.sha256().equals(CanonicalJson.hash(sealed.entry())))
                .map(Sealed::entry).filter(entry -> entry.key().equals(key)).map(Entry::trace);
        if (trace.isEmpty()) {
            notices.accept("reference: %s is damaged, computing it again".formatted(file));
        }
        return trace;
    }

    /// @throws NpuflowException NPF-164 if the directory cannot be written
    void put(TraceKey key, TokenTrace trace) {
        Entry entry = new Entry(key, trace);
        Path file = directory.resolve(key.fileName());
        try {
            WholeFile.write(file, CanonicalJson.write(new Sealed(entry, CanonicalJson.hash(entry))) + "\n");
        } catch (IOException e) {
            throw unwritable(file, e);
        }
    }

    static NpuflowException unwritable(Path file, IOException failure) {
        return NpuflowException.environment("NPF-164", "reference cache %s".formatted(file), FileReason.of(failure), "a directory to write to",
                "another --workspace");
    }

    private static Optional<Sealed> read(Path file) {
        try {
            return Files.size(file) > MOST_BYTES ? Optional.empty() : Optional.of(CanonicalJson.read(Files.readString(file), Sealed.class));
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
