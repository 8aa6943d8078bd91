package dev.npuflow.workflow.estimate;

import dev.npuflow.npu.device.DeviceDescription;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.ModelShape;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.Placement;
import dev.npuflow.skill.Skill;
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
    /// The baseline with every built-in skill applied to its prefill and then to its decode, as Phases 4 and 5 try them and as far as each places; nothing is
    /// measured or verified.
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
        List<LoadedSkill> skills = SkillCatalog.load(Optional.empty()).skills();
        for (Phase phase : List.of(Phase.PREFILL, Phase.DECODE)) {
            SkillContext context = new SkillContext(phase, device.name(), new TreeMap<>(), placement, List.of());
            for (LoadedSkill loaded : skills) {
                deployment = applied(loaded.skill(), deployment, context);
            }
        }
        return deployment;
    }

    private static Deployment applied(Skill skill, Deployment deployment, SkillContext context) {
        try {
            return skill.assess(deployment, context) instanceof Assessment.Applies ? skill.apply(deployment, context) : deployment;
        } catch (SkillFailure refused) {
            return deployment;
        }
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
