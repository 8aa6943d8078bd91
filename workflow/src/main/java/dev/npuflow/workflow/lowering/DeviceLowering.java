package dev.npuflow.workflow.lowering;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.workflow.block.Block;
import dev.npuflow.workflow.model.LanguageModel;
import dev.npuflow.workflow.model.ModelConfig;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;

/// How models are deployed on one device: the [MachineLowering] of its kind, with its numbers.
public record DeviceLowering(DeviceDescription device, MachineLowering machine) {

    /// @throws NpuflowException NPF-309 where no model can be deployed on devices of this kind
    public static DeviceLowering of(DeviceDescription device) {
        SortedMap<String, MachineLowering> machines = new TreeMap<>();
        ServiceLoader.load(MachineLowering.class, MachineLowering.class.getClassLoader()).forEach(machine -> machines.put(machine.kind(), machine));
        MachineLowering machine = machines.get(device.kind());
        if (machine == null) {
            throw NpuflowException.badInput("NPF-309", "device %s of kind %s".formatted(device.name(), device.kind()),
                    "a device that models are deployed on, of kind " + String.join(" or ", machines.keySet()), "--device npu2");
        }
        return new DeviceLowering(device, machine);
    }

    /// @throws NpuflowException NPF-202, as [MachineLowering#shapeOf]
    public ModelShape shapeOf(LanguageModel model) {
        return shapeOf(model.name(), model.config());
    }

    /// The same of a configuration alone.
    public ModelShape shapeOf(String name, ModelConfig config) {
        return machine.shapeOf(name, config, device);
    }

    /// @throws NpuflowException NPF-201 where nothing places, NPF-202
    public Deployment baseline(LanguageModel model) {
        return baseline(model.name(), model.config());
    }

    /// The same of a configuration alone.
    public Deployment baseline(String name, ModelConfig config) {
        return baseline(shapeOf(name, config), config.block());
    }

    /// The same of a shape, for a model of this block.
    public Deployment baseline(ModelShape model, Block block) {
        return machine.baseline(model, block, device);
    }

    /// @throws NpuflowException NPF-250 or NPF-251, as [MachineLowering#upstream]
    public Optional<Deployment> upstream(String name, ModelConfig config) {
        return machine.upstream(name, config, device);
    }

    /// Positions that a prefill is padded to.
    public int paddedPrefill() {
        return machine.paddedPrefill();
    }
}
