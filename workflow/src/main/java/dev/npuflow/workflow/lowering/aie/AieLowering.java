package dev.npuflow.workflow.lowering.aie;

import dev.npuflow.npu.aie.AieDevice;
import dev.npuflow.npu.aie.AieMachine;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.lowering.CompilerPlacement;
import dev.npuflow.workflow.lowering.MachineLowering;
import dev.npuflow.workflow.lowering.PaddedModel;
import dev.npuflow.workflow.model.ModelConfig;
import java.util.Optional;

/// `kind: aie`: mlir-air's deployments.
public final class AieLowering implements MachineLowering {

    /// Upstream's `max_seq` (docs/upstream.md, "Gate").
    public static final int PADDED_PREFILL = 2048;

    @Override public String kind() {
        return AieMachine.KIND;
    }

    @Override public int paddedPrefill() {
        return PADDED_PREFILL;
    }

    /// Widths are padded to what a GEMV multiplies at once.
    @Override public ModelShape shapeOf(String name, ModelConfig real, DeviceDescription device) {
        ModelConfig config = PaddedModel.padded(real, AieDevice.of(device).hardware().functions().gemvLanes());
        Block block = config.block();
        return new ModelShape(name, config.layers(), config.hiddenSize(), config.intermediateSize(), config.heads(), config.keyValueHeads(), config.headDim(),
                config.vocabSize(), config.tiedHead(), block.hasInputBias(), block.normsHeads(), decimal(config.rmsNormEpsilon()), PADDED_PREFILL,
                config.rope().rotaryDim(), block.hasOutputBias());
    }

    /// The number as config.json writes it: 1.0E-5, not the double nearest to its fp32.
    private static double decimal(float value) {
        return Double.parseDouble(Float.toString(value));
    }

    @Override public Deployment baseline(ModelShape model, Block block, DeviceDescription device) {
        return BaselineAssembler.assemble(model, block, device, new CompilerPlacement(device));
    }

    @Override public Optional<Deployment> upstream(String name, ModelConfig config, DeviceDescription device) {
        return Optional.of(UpstreamAssembler.assemble(shapeOf(name, config, device), config.block(), config.architecture(), device, UpstreamForm.CURRENT));
    }
}
