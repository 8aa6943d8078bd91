package dev.npuflow.workflow.reference;

import dev.npuflow.workflow.model.Cases;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.LanguageModels;
import dev.npuflow.workflow.model.OpenOptions;
import java.nio.file.Path;

/// Real models for tests.
final class Models {

    private Models() {}

    static LanguageModel tinyKjv(Path cache) {
        Path root = Path.of(System.getProperty("npuflow.root"));
        return LanguageModels.open(root.resolve("programming_examples/llms/tiny_kjv"), OpenOptions.cachingIn(cache));
    }

    /// A case's model, such as `a18/qwen3`.
    static LanguageModel ofCase(String variant, Path cache) {
        return LanguageModels.open(Cases.folder(variant), OpenOptions.cachingIn(cache));
    }
}
