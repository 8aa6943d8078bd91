package dev.npuflow.workflow.model;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.RegularFile;
import dev.npuflow.workflow.model.safetensors.SafetensorsFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/// Opens Hugging Face directories.
public final class LanguageModels {

    private LanguageModels() {}

    /// Reads and checks everything before anything can run: configuration, tokenizer, every tensor's place, shape and type. A directory without weights
    /// gets a deterministic synthetic set of the real shape.
    ///
    /// @throws NpuflowException NPF-100 to NPF-153, in one line that names file and field or tensor
    public static LanguageModel open(Path directory, OpenOptions options) {
        ModelDescription description = ConfigReader.read(directory);
        ModelConfig config = description.config();
        Path source = options.weightsDirectory().orElse(directory);
        WeightFiles files = WeightFiles.find(source);
        files.requireReadable();
        if (files.files().isEmpty() && options.weightsDirectory().isPresent()) {
            throw NpuflowException.badInput("NPF-138", "%s holds no weights".formatted(source), "model.safetensors or its shards", "another directory");
        }
        Arena arena = Arena.ofShared();
        try {
            Loaded loaded = files.files().isEmpty() ? synthetic(config, options, arena) : stored(files, config, options, arena);
            return new OpenedModel(directory, config, loaded.weights(), tokenizer(directory, source), loaded.origin(),
                    Stream.concat(description.warnings().stream(), loaded.warnings().stream()).toList(), loaded.fingerprint(), arena);
        } catch (RuntimeException refused) {
            arena.close();
            throw refused;
        }
    }

    private record Loaded(Weights weights, WeightOrigin origin, List<String> warnings, Supplier<String> fingerprint) {}

    private static Loaded stored(WeightFiles files, ModelConfig config, OpenOptions options, Arena arena) {
        StoredWeights weights = StoredWeights.open(files, config, arena);
        FileHashes hashes = new FileHashes(options.cacheDirectory());
        return new Loaded(weights, WeightOrigin.FILE, weights.warnings(),
                () -> Fingerprint.of(config, files.files().stream().map(hashes::sha256).toList()));
    }

    private static Loaded synthetic(ModelConfig config, OpenOptions options, Arena arena) {
        SyntheticWeights set = new SyntheticWeights(config, arena);
        SafetensorsFile file;
        Optional<String> notCached = Optional.empty();
        try {
            file = new SyntheticCache(options).open(set);
        } catch (IOException noRoom) {
            notCached = Optional.of("synthetic weights are kept in memory, not in the cache: %s".formatted(noRoom.getMessage()));
            file = set.inMemory();
        }
        List<String> warnings = Stream.concat(Stream.of("weights are synthetic: random numbers of the real shape, the text means nothing"),
                notCached.stream()).toList();
        return new Loaded(StoredWeights.of(file, config, arena), WeightOrigin.SYNTHETIC, warnings, () -> Fingerprint.of(config, List.of(set.identity())));
    }

    private static Optional<JsonTokenizer> tokenizer(Path directory, Path weightsSource) {
        return Stream.of(directory, weightsSource).map(place -> RegularFile.find(place.resolve("tokenizer.json"))).flatMap(Optional::stream)
                .findFirst().map(JsonTokenizer::open);
    }
}
