package dev.npuflow.workflow.model;

import dev.npuflow.workflow.model.safetensors.SafetensorsFile;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// What a directory holds, told without running it. Weights are checked as for a run, but not touched.
///
/// @param tensorCount tensors in the files, or in the synthetic set that would be made
/// @param weights     NONE if there is nothing to run: no file of an unsupported architecture, or files in another format
/// @param warnings    what a run would warn of: contradictions in the configuration, and in the weights
public record ModelInspection(ModelDescription description, int tensorCount, WeightOrigin weights, List<String> warnings) {

    public ModelInspection {
        warnings = Stream.concat(description.warnings().stream(), warnings.stream()).distinct().toList();
    }

    /// @throws dev.npuflow.workflow.fault.NpuflowException if a file is damaged or contradicts another; not for an unsupported architecture
    public static ModelInspection of(Path directory) {
        ModelDescription description = ConfigReader.read(directory);
        WeightFiles files = WeightFiles.find(directory);
        if (files.files().isEmpty()) {
            boolean made = description.supported() && files.foreign().isEmpty();
            return made ? new ModelInspection(description, TensorShapes.of(description.config()).size(), WeightOrigin.SYNTHETIC, List.of())
                    : new ModelInspection(description, 0, WeightOrigin.NONE,
                            files.foreign().map(file -> List.of("%s is not read".formatted(InputFile.name(file)))).orElse(List.of()));
        }
        try (Arena arena = Arena.ofShared()) {
            if (description.supported()) {
                StoredWeights weights = StoredWeights.open(files, description.config(), arena);
                return new ModelInspection(description, weights.count(), WeightOrigin.FILE, weights.warnings());
            }
            int count = files.files().stream().mapToInt(file -> SafetensorsFile.map(file, arena).tensors().size()).sum();
            return new ModelInspection(description, count, WeightOrigin.FILE, files.warnings());
        }
    }
}
