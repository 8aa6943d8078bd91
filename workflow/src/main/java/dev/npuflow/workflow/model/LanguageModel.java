package dev.npuflow.workflow.model;

import java.nio.file.Path;
import java.util.Optional;

/// An opened model: configuration, mapped weights, tokenizer.
public interface LanguageModel extends AutoCloseable {

    /// The directory's name.
    String name();

    Path directory();

    ModelConfig config();

    Weights weights();

    /// Empty where the directory holds no tokenizer.json.
    Optional<Tokenizer> tokenizer();

    /// Whether weights come from a file or are synthetic; every output says so.
    WeightOrigin weightOrigin();

    /// SHA-256, in hex, over everything that determines the model's logits: configuration and weight bytes.
    String fingerprint();

    @Override void close();
}
