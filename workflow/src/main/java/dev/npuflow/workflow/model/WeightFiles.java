package dev.npuflow.workflow.model;

import dev.npuflow.workflow.fault.NpuflowException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/// Which files hold a directory's weights.
///
/// @param files     safetensors files by name; empty if the directory holds none that are read
/// @param tensorsOf sharded only: file name that the index gives each tensor, by tensor name
/// @param foreign   weights under another name or in another format, where `files` is empty
record WeightFiles(List<Path> files, SequencedMap<String, String> tensorsOf, Optional<Path> foreign) {

    private static final String SINGLE = "model.safetensors";
    private static final String INDEX = "model.safetensors.index.json";
    private static final long MAXIMUM_INDEX = 32 << 20;
    private static final int MAXIMUM_SHARDS = 4096;
    /// A plain file name: no separator, so no way out of the directory. A link is followed, because the hub's cache consists of links.
    private static final Pattern SHARD_NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,199}\\.safetensors");
    private static final Pattern FOREIGN = Pattern.compile(".*\\.(safetensors|bin|pt|pth|gguf|h5|msgpack|onnx)");

    WeightFiles {
        files = List.copyOf(files);
        tensorsOf = Collections.unmodifiableSequencedMap(new TreeMap<>(tensorsOf));
    }

    /// `model.safetensors` goes before an index, as in transformers.
    static WeightFiles find(Path directory) {
        if (Files.exists(directory.resolve(SINGLE))) {
            return new WeightFiles(List.of(directory.resolve(SINGLE)), new TreeMap<>(), Optional.empty());
        }
        if (Files.exists(directory.resolve(INDEX))) {
            return readIndex(directory);
        }
        return new WeightFiles(List.of(), new TreeMap<>(), foreignWeights(directory));
    }

    /// @throws NpuflowException NPF-133 where weights are there that are not read; running without them would not be what was asked for
    void requireReadable() {
        foreign.ifPresent(file -> {
            throw NpuflowException.badInput("NPF-133", "%s holds weights under another name or in another format".formatted(InputFile.name(file)),
                    "%s, or %s with its shards".formatted(SINGLE, INDEX), "converting them to safetensors");
        });
    }

    boolean sharded() {
        return !tensorsOf.isEmpty();
    }

    private static WeightFiles readIndex(Path directory) {
        JsonFields index = JsonFields.read(directory.resolve(INDEX), MAXIMUM_INDEX);
        JsonFields map = index.object("weight_map").orElseThrow(() -> index.missing("weight_map"));
        SequencedMap<String, String> tensorsOf = new TreeMap<>();
        SequencedMap<String, Path> files = new TreeMap<>();
        for (var entry : map.node().properties()) {
            JsonNode value = entry.getValue();
            String name = value.isString() ? value.stringValue() : "";
            if (!SHARD_NAME.matcher(name).matches()) {
                throw NpuflowException.badInput("NPF-130", "%s: tensor %s is said to be in %s".formatted(INDEX, entry.getKey(), value),
                        "the plain name of a .safetensors file in the same directory", "the index as it was published");
            }
            tensorsOf.put(entry.getKey(), name);
            files.put(name, directory.resolve(name));
        }
        if (files.isEmpty() || files.size() > MAXIMUM_SHARDS) {
            throw NpuflowException.badInput("NPF-132", "%s names %d files".formatted(INDEX, files.size()), "1 to %d".formatted(MAXIMUM_SHARDS),
                    "the index as it was published");
        }
        return new WeightFiles(new ArrayList<>(files.values()), tensorsOf, Optional.empty());
    }

    private static Optional<Path> foreignWeights(Path directory) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, entry -> FOREIGN.matcher(InputFile.name(entry)).matches())) {
            List<Path> found = new ArrayList<>();
            entries.forEach(found::add);
            return found.stream().sorted().findFirst();
        } catch (IOException failure) {
            throw InputFile.unreadable(directory, failure);
        }
    }
}
