package dev.npuflow.workflow.model;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.InputFile;
import dev.npuflow.workflow.file.RegularFile;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// A directory after Phase 0's checks: all that [LanguageModels#open] checks, with no weights at hand and none made.
///
/// @param weights  SYNTHETIC where the directory holds none
/// @param warnings what a run would warn of
public record CheckedModel(Path directory, ModelConfig config, Optional<JsonTokenizer> ownTokenizer, WeightOrigin weights, List<String> warnings)
        implements AutoCloseable {

    public CheckedModel {
        warnings = List.copyOf(warnings);
    }

    /// @throws NpuflowException as [LanguageModels#open]
    public static CheckedModel of(Path directory) {
        ModelDescription description = ConfigReader.read(directory);
        ModelConfig config = description.config();
        WeightFiles files = WeightFiles.find(directory);
        files.requireReadable();
        List<String> warnings = new ArrayList<>(description.warnings());
        warnings.addAll(files.files().isEmpty() ? List.of("there are no weights: synthetic ones of the real shape stand in") : checked(files, config));
        return new CheckedModel(directory, config, RegularFile.find(directory.resolve("tokenizer.json")).map(JsonTokenizer::open),
                files.files().isEmpty() ? WeightOrigin.SYNTHETIC : WeightOrigin.FILE, warnings);
    }

    private static List<String> checked(WeightFiles files, ModelConfig config) {
        try (Arena arena = Arena.ofShared()) {
            return StoredWeights.open(files, config, arena).warnings();
        }
    }

    /// The directory's name.
    public String name() {
        return InputFile.name(directory.toAbsolutePath().normalize());
    }

    public ModelPrompts prompts() {
        return ModelPrompts.read(directory, config, tokenizer());
    }

    /// Empty where the directory holds no tokenizer.json.
    public Optional<Tokenizer> tokenizer() {
        return ownTokenizer.map(tokenizer -> tokenizer);
    }

    @Override public void close() {
        ownTokenizer.ifPresent(JsonTokenizer::close);
    }
}
