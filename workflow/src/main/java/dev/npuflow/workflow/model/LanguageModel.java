package dev.npuflow.workflow.model;

import java.nio.file.Path;
import java.util.List;
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

    /// What a reader of any output should know: weights that are synthetic, a stored head that is not used. Empty where all is plain.
    default List<String> warnings() {
        return List.of();
    }

    /// SHA-256, in hex, over everything that determines the model's logits: configuration and weight bytes.
    String fingerprint();

    @Override void close();
}
