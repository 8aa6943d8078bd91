package dev.npuflow.workflow.model;

import dev.npuflow.workflow.file.InputFile;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// An opened directory; closing it unmaps the weights.
record OpenedModel(Path directory, ModelConfig config, Weights weights, Optional<JsonTokenizer> ownTokenizer, WeightOrigin weightOrigin,
        List<String> warnings, Supplier<String> fingerprintOf, Arena arena) implements LanguageModel {

    @Override public String name() {
        return InputFile.name(directory.toAbsolutePath().normalize());
    }

    @Override public Optional<Tokenizer> tokenizer() {
        return ownTokenizer.map(tokenizer -> tokenizer);
    }

    @Override public String fingerprint() {
        return fingerprintOf.get();
    }

    @Override public void close() {
        ownTokenizer.ifPresent(JsonTokenizer::close);
        arena.close();
    }
}
