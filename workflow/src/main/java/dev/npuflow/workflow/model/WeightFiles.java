package dev.npuflow.workflow.model;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.file.InputFile;
import dev.npuflow.workflow.file.RegularFile;
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
/// @param warnings  which weights are there and are not read
record WeightFiles(List<Path> files, SequencedMap<String, String> tensorsOf, Optional<Path> foreign, List<String> warnings) {

    private static final String SINGLE = "model.safetensors";
    private static final String INDEX = "model.safetensors.index.json";
    private static final long MAXIMUM_INDEX = 32 << 20;
    private static final int MAXIMUM_SHARDS = 4096;
    /// A plain file name: no separator, so no way out of the directory. A link is followed, because the hub's cache consists of links.
    private static final Pattern SHARD_NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,199}\\.safetensors");
    private static final Pattern NUMBERED_SHARD = Pattern.compile("model-\\d{5}-of-\\d{5}\\.safetensors");
    private static final Pattern FOREIGN = Pattern.compile(".*\\.(safetensors|bin|pt|pth|gguf|h5|msgpack|onnx)");

    WeightFiles {
        files = List.copyOf(files);
        tensorsOf = Collections.unmodifiableSequencedMap(new TreeMap<>(tensorsOf));
        warnings = List.copyOf(warnings);
    }

    /// `model.safetensors` goes before an index, as in transformers.
    ///
    /// @throws NpuflowException NPF-100 to NPF-108, NPF-130 and NPF-132 naming the file
    static WeightFiles find(Path directory) {
        InputFile.requireDirectory(directory);
        Optional<Path> single = RegularFile.find(directory.resolve(SINGLE));
        Optional<Path> index = RegularFile.find(directory.resolve(INDEX));
        if (single.isPresent()) {
            List<String> others = new ArrayList<>(index.filter(file -> !namesOnlySingle(file)).map(_ -> INDEX).stream().toList());
            others.addAll(shardsBeside(directory, List.of(single.get())));
            return new WeightFiles(List.of(single.get()), new TreeMap<>(), Optional.empty(), unread(SINGLE, others));
        }
        if (index.isPresent()) {
            WeightFiles sharded = readIndex(index.get());
            return new WeightFiles(sharded.files(), sharded.tensorsOf(), Optional.empty(), unread(INDEX, shardsBeside(directory, sharded.files())));
        }
        return new WeightFiles(List.of(), new TreeMap<>(), named(directory, FOREIGN).stream().findFirst(), List.of());
    }

    /// Such an index says nothing that the file itself does not say. A damaged one is not read, so it need not be whole.
    private static boolean namesOnlySingle(Path index) {
        try {
            return readIndex(index).files().equals(List.of(index.resolveSibling(SINGLE)));
        } catch (NpuflowException damaged) {
            return false;
        }
    }

    private static List<String> shardsBeside(Path directory, List<Path> read) {
        return named(directory, NUMBERED_SHARD).stream().filter(file -> !read.contains(file)).map(InputFile::name).toList();
    }

    /// Two sets of weights in one directory may be two models.
    private static List<String> unread(String read, List<String> others) {
        return others.isEmpty() ? List.of() : List.of("the weights are those of %s; %s beside it %s not read".formatted(read,
                others.size() > 3 ? "%s, %s and %d more".formatted(others.get(0), others.get(1), others.size() - 2) : String.join(", ", others),
                others.size() == 1 ? "is" : "are"));
    }

    /// @throws NpuflowException NPF-133 where weights are there that are not read; running without them would not be what was asked for
    void requireReadable() {
        foreign.ifPresent(file -> {
            String name = InputFile.name(file);
            throw NpuflowException.badInput("NPF-133", "%s holds weights under another name or in another format".formatted(name),
                    "%s, or %s with its shards".formatted(SINGLE, INDEX), NUMBERED_SHARD.matcher(name).matches() ? "downloading %s as well".formatted(INDEX)
                            : name.endsWith(".safetensors") ? "the name %s, if it holds the whole model".formatted(SINGLE)
                            : "converting them to safetensors");
        });
    }

    boolean sharded() {
        return !tensorsOf.isEmpty();
    }

    private static WeightFiles readIndex(Path file) {
        JsonFields index = JsonFields.read(file, MAXIMUM_INDEX);
        JsonFields map = index.object("weight_map").orElseThrow(() -> index.missing("weight_map"));
        SequencedMap<String, String> tensorsOf = new TreeMap<>();
        SequencedMap<String, Path> files = new TreeMap<>();
        for (var entry : map.node().properties()) {
            JsonNode value = entry.getValue();
            String name = value.isString() ? value.stringValue() : "";
            if (!SHARD_NAME.matcher(name).matches()) {
                throw NpuflowException.badInput("NPF-130", "%s: file of tensor %s".formatted(INDEX, entry.getKey()), value,
                        "the plain name of a .safetensors file in the same directory", "the index as it was published");
            }
            tensorsOf.put(entry.getKey(), name);
            files.put(name, file.resolveSibling(name));
        }
        if (files.isEmpty() || files.size() > MAXIMUM_SHARDS) {
            throw NpuflowException.badInput("NPF-132", "%s: number of files".formatted(INDEX), files.size(), "1 to %d".formatted(MAXIMUM_SHARDS),
                    "the index as it was published");
        }
        return new WeightFiles(new ArrayList<>(files.values()), tensorsOf, Optional.empty(), List.of());
    }

    /// Files of a directory by name, sorted; a directory of such a name is none.
    private static List<Path> named(Path directory, Pattern names) {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, entry -> names.matcher(InputFile.name(entry)).matches()
                && !Files.isDirectory(entry))) {
            List<Path> found = new ArrayList<>();
            entries.forEach(found::add);
            Collections.sort(found);
            found.forEach(RegularFile::require);
            return List.copyOf(found);
        } catch (IOException failure) {
            throw RegularFile.unreadable(directory, failure);
        }
    }
}
