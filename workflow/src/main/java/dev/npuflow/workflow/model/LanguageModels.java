package dev.npuflow.workflow.model;

import dev.npuflow.workflow.fault.NpuflowException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Opens Hugging Face directories.
public final class LanguageModels {

    private LanguageModels() {}

    /// Reads and checks everything before anything can run: configuration, tokenizer, every tensor's place, shape and type.
    ///
    /// @throws NpuflowException NPF-100 to NPF-159, in one line that names file and field or tensor
    public static LanguageModel open(Path directory, OpenOptions options) {
        ModelConfig config = ConfigReader.read(directory, options.contextLength()).config();
        Arena arena = Arena.ofShared();
        try {
            WeightFiles files = WeightFiles.find(options.weightsDirectory().orElse(directory));
            StoredWeights weights = StoredWeights.open(files, config, arena);
            return new OpenedModel(directory, config, weights, tokenizer(directory), WeightOrigin.FILE, weights.warnings(), files.files(), arena);
        } catch (RuntimeException refused) {
            arena.close();
            throw refused;
        }
    }

    private static Optional<JsonTokenizer> tokenizer(Path directory) {
        Path file = directory.resolve("tokenizer.json");
        return Files.exists(file) ? Optional.of(JsonTokenizer.open(file)) : Optional.empty();
    }
}
