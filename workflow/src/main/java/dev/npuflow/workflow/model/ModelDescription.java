package dev.npuflow.workflow.model;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.workflow.block.Block;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;

/// What a configuration says, also of an architecture that is not supported; a field that it does not say is empty.
///
/// @param file         name of the file that says it
/// @param architecture class name there
/// @param block        what a layer is made of
/// @param reasons      why it is refused, each a readable clause; empty if it is supported
/// @param warnings     where fields contradict each other and one of them was taken
/// @param maximumPositions the longest text, with what a dynamic rope scaling adds
/// @param dataType     `dtype` or `torch_dtype`; no engine reads it
/// @param eosTokenIds  ids that end a generation, ascending
public record ModelDescription(String file, String architecture, List<String> reasons, List<String> warnings, OptionalInt layers, OptionalInt hiddenSize, OptionalInt intermediateSize,
        OptionalInt heads, OptionalInt keyValueHeads, OptionalInt headDim, OptionalInt vocabSize, Optional<Boolean> tiedHead,
        Optional<Block> block, OptionalDouble rmsNormEpsilon, OptionalInt maximumPositions,
        Optional<Rope> rope, Optional<String> dataType, List<Integer> eosTokenIds, OptionalInt bosTokenId) {

    public ModelDescription {
        reasons = List.copyOf(reasons);
        warnings = List.copyOf(warnings);
        eosTokenIds = List.copyOf(eosTokenIds);
    }

    public boolean supported() {
        return reasons.isEmpty();
    }

    /// The reasons in one clause.
    public String reason() {
        return String.join("; ", reasons);
    }

    /// The resolved configuration of a supported model.
    ///
    /// @throws NpuflowException NPF-110 with every reason and warning, if it is not supported
    public ModelConfig config() {
        if (!supported()) {
            throw NpuflowException.badInput("NPF-110", "%s: %s is not supported".formatted(file, architecture), String.join("; ", Stream.concat(reasons.stream(), warnings.stream()).toList()),
                    "a dense decoder: %s".formatted(Architecture.classNames()), "another model");
        }
        return new ModelConfig(Architecture.of(architecture).orElseThrow(), layers.getAsInt(), hiddenSize.getAsInt(), intermediateSize.getAsInt(),
                heads.getAsInt(), keyValueHeads.getAsInt(), headDim.getAsInt(), vocabSize.getAsInt(), tiedHead.orElseThrow(),
                block.orElseThrow(), (float) rmsNormEpsilon.getAsDouble(), maximumPositions.getAsInt(),
                rope.orElseThrow(), eosTokenIds, bosTokenId);
    }
}
