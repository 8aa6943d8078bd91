package dev.npuflow.workflow.lowering;

import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.model.ModelConfig;
import java.util.Optional;

/// How models are deployed on one kind of machine: what their plans look like there. npuflow finds it by the kind of a device among the services of this type. Its
/// package and that of the machine's commands below `workflow.cli.sim` are the only ones of the workflow that know the machine.
public interface MachineLowering {

    /// As device files write it, such as `aie`.
    String kind();

    /// Positions that a prefill is padded to.
    int paddedPrefill();

    /// What a plan depends on of a model. Odd widths are those that the machine pads to: a run pads the weights alike ([PaddedModel]).
    ///
    /// @throws dev.npuflow.fault.NpuflowException NPF-202 where what is padded would have a part in a result
    ModelShape shapeOf(String name, ModelConfig config, DeviceDescription device);

    /// The plan to start from, correct and slow.
    ///
    /// @param model as [#shapeOf] gives it
    /// @throws dev.npuflow.fault.NpuflowException NPF-201 where nothing places
    Deployment baseline(ModelShape model, Block block, DeviceDescription device);

    /// The plan as the machine's own tool chain deploys the model, there to be placed and timed; empty for a kind that has no such plan.
    ///
    /// @throws dev.npuflow.fault.NpuflowException NPF-250 or NPF-251 for dimensions that its kernels do not take
    Optional<Deployment> upstream(String name, ModelConfig config, DeviceDescription device);
}
