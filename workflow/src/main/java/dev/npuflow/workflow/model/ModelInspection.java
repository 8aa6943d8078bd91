package dev.npuflow.workflow.model;

import dev.npuflow.workflow.file.InputFile;
import dev.npuflow.workflow.file.RegularFile;
import dev.npuflow.workflow.model.safetensors.ElementType;
import dev.npuflow.workflow.model.safetensors.HeaderWriter;
import dev.npuflow.workflow.model.safetensors.SafetensorsFile;
import dev.npuflow.workflow.model.safetensors.TensorEntry;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Stream;

/// What a directory holds, told without running it. Weights are checked as for a run, but not touched.
///
/// @param tensorCount tensors in the files, or in the synthetic set that would be made
/// @param stored      their elements and bytes
/// @param weights     NONE if there is nothing to run: no file of an unsupported architecture, or files in another format
/// @param tokenizer   tokenizer.json, if there is one; it is not opened
/// @param warnings    what a run would warn of: contradictions in the configuration, and in the weights
public record ModelInspection(ModelDescription description, int tensorCount, StoredBytes stored, WeightOrigin weights, Optional<Path> tokenizer,
        List<String> warnings) {

    public ModelInspection {
        warnings = Stream.concat(description.warnings().stream(), warnings.stream()).distinct().toList();
    }

    /// @throws dev.npuflow.fault.NpuflowException if a file is damaged or contradicts another; not for an unsupported architecture
    public static ModelInspection of(Path directory) {
        ModelDescription description = ConfigReader.read(directory);
        WeightFiles files = WeightFiles.find(directory);
        Optional<Path> tokenizer = RegularFile.find(directory.resolve("tokenizer.json"));
        tokenizer.ifPresent(StatedTokens::requireReadable);
        if (files.files().isEmpty()) {
            List<TensorEntry> made = description.supported() && files.foreign().isEmpty()
                    ? HeaderWriter.layOut(TensorShapes.of(description.config())) : List.of();
            WeightOrigin origin = made.isEmpty() ? WeightOrigin.NONE : WeightOrigin.SYNTHETIC;
            return new ModelInspection(description, made.size(), StoredBytes.of(made), origin, tokenizer,
                    files.foreign().map(file -> List.of("%s is not read".formatted(InputFile.name(file)))).orElse(List.of()));
        }
        try (Arena arena = Arena.ofShared()) {
            Optional<StoredWeights> checked = description.supported()
                    ? Optional.of(StoredWeights.open(files, description.config(), arena)) : Optional.empty();
            List<TensorEntry> tensors = checked.map(StoredWeights::entries)
                    .orElseGet(() -> files.files().stream().flatMap(file -> SafetensorsFile.map(file, arena).tensors().stream()).toList());
            StoredBytes stored = StoredBytes.of(tensors);
            List<String> warnings = checked.map(StoredWeights::warnings).orElse(files.warnings());
            return new ModelInspection(description, tensors.size(), stored, WeightOrigin.FILE, tokenizer,
                    Stream.concat(warnings.stream(), otherType(description, stored).stream()).toList());
        }
    }

    /// All parameters of a supported model, whatever else its files hold; else the elements that are stored.
    public long parameters() {
        return description.supported() ? TensorShapes.elements(description.config()) : stored.elements();
    }

    /// The type that config.json names is the one that the model was made in; what is read is what is stored.
    private static Optional<String> otherType(ModelDescription description, StoredBytes stored) {
        SortedMap<ElementType, Long> types = stored.bytesByType();
        return description.dataType().flatMap(ModelInspection::elementType).filter(named -> !types.containsKey(named))
                .map(named -> "config.json names the data type %s, the tensors are %s: what is stored is read".formatted(named,
                        String.join(", ", types.keySet().stream().map(ElementType::name).toList())));
    }

    private static Optional<ElementType> elementType(String name) {
        return switch (name) {
            case "bfloat16" -> Optional.of(ElementType.BF16);
            case "float16" -> Optional.of(ElementType.F16);
            case "float32" -> Optional.of(ElementType.F32);
            default -> Optional.empty();
        };
    }
}
