package dev.npuflow.workflow.estimate;

import dev.npuflow.npu.device.DeviceDescription;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Placement;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.skill.SkillFailure;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.fault.NpuflowException;
import dev.npuflow.workflow.lowering.BaselineAssembler;
import dev.npuflow.workflow.lowering.CompilerPlacement;
import dev.npuflow.workflow.lowering.UpstreamAssembler;
import dev.npuflow.workflow.lowering.UpstreamForm;
import dev.npuflow.workflow.model.ModelConfig;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/// The plans that can be asked for without measuring anything.
public enum TimedPlan {
    /// One kernel an ELF, everything written on every call.
    BASELINE,
    /// The baseline with every built-in skill applied to its decode, in the usual order and as far as it places; nothing is measured or verified.
    PHASE5,
    /// As mlir-air deploys it.
    UPSTREAM;

    /// @throws NpuflowException NPF-201 where there is no baseline, NPF-250 or NPF-251 where there is no upstream plan
    public Deployment assemble(String name, ModelConfig config, DeviceDescription device) {
        ModelShape shape = BaselineAssembler.shapeOf(name, config);
        return switch (this) {
            case UPSTREAM -> UpstreamAssembler.assemble(shape, config.architecture(), device.name(), device.array().columns(), UpstreamForm.CURRENT);
            case BASELINE -> BaselineAssembler.assemble(shape, device.name(), new CompilerPlacement(device));
            case PHASE5 -> optimized(shape, device);
        };
    }

    private static Deployment optimized(ModelShape shape, DeviceDescription device) {
        Placement placement = new CompilerPlacement(device);
        Deployment deployment = BaselineAssembler.assemble(shape, device.name(), placement);
        SkillContext context = new SkillContext(Phase.DECODE, device.name(), new TreeMap<>(), placement, List.of());
        for (LoadedSkill loaded : SkillCatalog.load(Optional.empty()).skills()) {
            try {
                if (loaded.skill().assess(deployment, context) instanceof Assessment.Applies) {
                    deployment = loaded.skill().apply(deployment, context);
                }
            } catch (SkillFailure refused) {
                continue;
            }
        }
        return deployment;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
