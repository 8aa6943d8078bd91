package dev.npuflow.workflow.cli;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.plan.Deployment;
import dev.npuflow.workflow.lowering.DeviceLowering;
import dev.npuflow.workflow.model.ModelDescription;
import java.util.Optional;
import java.util.OptionalInt;

/// Whether every kernel of a model's baseline plan places on a device: a supported model runs on the reference whatever its widths, on the NPU not.
///
/// @param baseline that plan, if it places
/// @param prefill  positions that a prefill is padded to; empty where no model can be deployed on the device
/// @param reason   why not
record NpuFit(Optional<Deployment> baseline, OptionalInt prefill, String reason) {

    /// Empty for an architecture that is not supported. A device on which no model can be deployed is an answer, too.
    static Optional<NpuFit> of(String name, ModelDescription description, DeviceDescription device) {
        if (!description.supported()) {
            return Optional.empty();
        }
        OptionalInt prefill = OptionalInt.empty();
        try {
            DeviceLowering lowering = DeviceLowering.of(device);
            prefill = OptionalInt.of(lowering.paddedPrefill());
            return Optional.of(new NpuFit(Optional.of(lowering.baseline(name, description.config())), prefill, ""));
        } catch (NpuflowException refused) {
            return Optional.of(new NpuFit(Optional.empty(), prefill, refused.getMessage()));
        }
    }

    boolean places() {
        return baseline.isPresent();
    }
}
