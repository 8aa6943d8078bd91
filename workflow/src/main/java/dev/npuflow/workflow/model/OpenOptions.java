package dev.npuflow.workflow.model;

import java.nio.file.Path;
import java.util.Optional;

/// How a model is opened.
///
/// @param cacheDirectory      holds synthetic weights and file fingerprints; made when needed, safe to delete at any time
/// @param syntheticCacheBytes largest total of synthetic weight files in the cache; beyond it they live in memory
/// @param weightsDirectory    a Hugging Face directory to take the weights from instead of the model's own
public record OpenOptions(Path cacheDirectory, long syntheticCacheBytes, Optional<Path> weightsDirectory) {

    /// Room for one set of a 3 B-parameter model in bf16.
    public static final long DEFAULT_SYNTHETIC_CACHE_BYTES = 8L << 30;

    public static OpenOptions cachingIn(Path cacheDirectory) {
        return new OpenOptions(cacheDirectory, DEFAULT_SYNTHETIC_CACHE_BYTES, Optional.empty());
    }

    public OpenOptions withSyntheticCacheBytes(long bytes) {
        return new OpenOptions(cacheDirectory, bytes, weightsDirectory);
    }

    public OpenOptions withWeightsFrom(Optional<Path> directory) {
        return new OpenOptions(cacheDirectory, syntheticCacheBytes, directory);
    }
}
