package dev.npuflow.workflow.lens;

import dev.npuflow.plan.CanonicalJson;
import dev.npuflow.workflow.file.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The noise of a model, one file each. A file is believed only if it parses and holds its own key.
record NoiseCache(Path directory) {

    private static final long MOST_BYTES = 1 << 20;

    /// Everything that the noise depends on.
    ///
    /// @param operators those that are compared, in order
    record NoiseKey(String model, List<Integer> prompt, int steps, String arithmetic, List<String> operators) {}

    private record Entry(NoiseKey key, OperatorNoise noise) {}

    Optional<OperatorNoise> find(NoiseKey key) {
        Path file = file(key);
        try {
            return !Files.isRegularFile(file) || Files.size(file) > MOST_BYTES ? Optional.empty()
                    : Optional.of(CanonicalJson.read(Files.readString(file), Entry.class)).filter(entry -> entry.key().equals(key)).map(Entry::noise);
        } catch (IOException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    void put(NoiseKey key, OperatorNoise noise) {
        WholeFile.replace(file(key), CanonicalJson.write(new Entry(key, noise)) + "\n");
    }

    private Path file(NoiseKey key) {
        return directory.resolve("noise_%s.json".formatted(CanonicalJson.hash(key).substring(0, 16)));
    }
}
