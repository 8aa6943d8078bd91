package dev.npuflow.workflow.cli;

import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.workflow.estimate.RunMemory;
import dev.npuflow.workflow.model.ModelDescription;
import dev.npuflow.workflow.model.ModelInspection;
import dev.npuflow.workflow.model.ModelYaml;
import dev.npuflow.workflow.model.WeightOrigin;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/// All that `inspect` tells of a model.
///
/// @param device for which placement and memory are told
/// @param fit    empty for an architecture that is not supported
/// @param memory empty where there is nothing to run
/// @param length of the text for which frequencies are shown, 1 where none was asked for: the pretrained length and below are all alike
record InspectedModel(ModelInspection model, ModelYaml yaml, DeviceDescription device, Optional<NpuFit> fit, Optional<RunMemory> memory, int length) {

    /// @param context length of the text; empty: what a prefill is padded to, or all positions of the model
    static InspectedModel of(Path directory, DeviceDescription device, OptionalInt context) {
        ModelInspection model = ModelInspection.of(directory);
        ModelDescription description = model.description();
        Optional<NpuFit> fit = NpuFit.of(String.valueOf(directory.toAbsolutePath().normalize().getFileName()), description, device);
        boolean runs = description.supported() && model.weights() != WeightOrigin.NONE;
        int positions = runs ? description.config().maximumPositions() : 1;
        int longest = fit.map(NpuFit::prefill).orElse(OptionalInt.empty()).orElse(positions);
        Optional<RunMemory> memory = runs ? Optional.of(RunMemory.of(model, fit.flatMap(NpuFit::baseline),
                context.orElse(Math.min(longest, positions)), longest)) : Optional.empty();
        return new InspectedModel(model, ModelYaml.read(directory), device, fit, memory, context.orElse(1));
    }
}
