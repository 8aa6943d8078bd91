package dev.npuflow.skill.testkit;

import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.npu.machine.Devices;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.skill.DeviceTrait;
import dev.npuflow.workflow.block.PreNorm;
import dev.npuflow.workflow.lowering.CompilerPlacement;
import dev.npuflow.workflow.lowering.DeviceLowering;
import dev.npuflow.workflow.lowering.SkillTraits;
import dev.npuflow.workflow.lowering.TilePlacement;
import dev.npuflow.workflow.model.LanguageModel;
import java.util.List;
import java.util.Set;

/// The smallest whole model with legal tiles: two layers of 64, grouped-query attention.
public final class TinyModel {

    public static final String DEVICE = "npu2";

    public static final ModelShape SHAPE = new ModelShape("tiny_test", 2, 64, 128, 2, 1, 32, 128, false, false, false, 1e-5, 2048);

    private TinyModel() {}

    /// The model itself, with deterministic weights in memory.
    public static LanguageModel open() {
        return open(SHAPE);
    }

    /// Another shape, for a skill that this one is too small for. With norms of heads it is a Qwen3, with biases on Q, K and V alone a Qwen2, else a Llama.
    public static LanguageModel open(ModelShape shape) {
        return new TinyLanguageModel(shape);
    }

    /// The plan that every skill starts from.
    public static Deployment baseline() {
        return baseline(SHAPE);
    }

    public static Deployment baseline(ModelShape shape) {
        return DeviceLowering.of(device()).baseline(shape, PreNorm.of(shape));
    }

    /// What the device does.
    public static Set<DeviceTrait> traits() {
        return SkillTraits.of(device());
    }

    /// The real compiler.
    public static TilePlacement placement() {
        return new CompilerPlacement(device());
    }

    private static DeviceDescription device() {
        return Devices.load(DEVICE, List.of());
    }
}
