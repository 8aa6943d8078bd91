package dev.npuflow.workflow.cli;

import dev.npuflow.workflow.estimate.RunMemory;
import dev.npuflow.workflow.lowering.BaselineAssembler;
import dev.npuflow.workflow.model.ModelDescription;
import dev.npuflow.workflow.model.ModelInspection;
import dev.npuflow.workflow.model.ModelYaml;
import dev.npuflow.workflow.model.WeightOrigin;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/// All that `inspect` tells of a model.
///
/// @param fit    empty for an architecture that is not supported
/// @param memory empty where there is nothing to run
/// @param length of the text for which frequencies are shown, 1 where none was asked for: the pretrained length and below are all alike
record InspectedModel(ModelInspection model, ModelYaml yaml, Optional<NpuFit> fit, Optional<RunMemory> memory, int length) {

    /// @param context length of the text; empty: what a prefill is padded to, or all positions of the model
    static InspectedModel of(Path directory, OptionalInt context) {
        ModelInspection model = ModelInspection.of(directory);
        ModelDescription description = model.description();
        Optional<NpuFit> fit = NpuFit.of(String.valueOf(directory.toAbsolutePath().normalize().getFileName()), description);
        boolean runs = description.supported() && model.weights() != WeightOrigin.NONE;
        int longest = BaselineAssembler.PADDED_PREFILL;
        Optional<RunMemory> memory = runs ? Optional.of(RunMemory.of(model, fit.flatMap(NpuFit::baseline),
                context.orElse(Math.min(longest, description.config().maximumPositions())), longest)) : Optional.empty();
        return new InspectedModel(model, ModelYaml.read(directory), fit, memory, context.orElse(1));
    }
}
