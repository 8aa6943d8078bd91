package dev.npuflow.workflow.fuzz;

import dev.npuflow.workflow.model.safetensors.SafetensorsFile;
import dev.npuflow.workflow.model.safetensors.TensorEntry;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;

/// What a good weight file holds, for the seed of an index.
final class Shards {

    private Shards() {}

    static List<String> names(Path file) {
        try (Arena arena = Arena.ofConfined()) {
            return SafetensorsFile.map(file, arena).tensors().stream().map(TensorEntry::name).toList();
        }
    }
}
