package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.lowering.BaselineAssembler;
import dev.npuflow.workflow.lowering.CompilerPlacement;
import dev.npuflow.workflow.model.ModelDescription;
import java.util.List;
import java.util.Optional;

/// Whether every kernel of a model's baseline plan places on npu2: a supported model runs on the reference whatever its widths, on the NPU not.
///
/// @param baseline that plan, if it places
/// @param reason   why not
record NpuFit(Optional<Deployment> baseline, String reason) {

    /// Empty for an architecture that is not supported.
    static Optional<NpuFit> of(String name, ModelDescription description) {
        if (!description.supported()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new NpuFit(Optional.of(BaselineAssembler.assemble(name, description.config(), "npu2",
                    new CompilerPlacement(Devices.load("npu2", List.of())))), ""));
        } catch (NpuflowException refused) {
            return Optional.of(new NpuFit(Optional.empty(), refused.getMessage()));
        }
    }

    boolean places() {
        return baseline.isPresent();
    }
}
