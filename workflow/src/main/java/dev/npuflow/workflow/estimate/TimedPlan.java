package dev.npuflow.workflow.estimate;

import dev.npuflow.fault.NpuflowException;
import dev.npuflow.npu.engine.Picoseconds;
import dev.npuflow.npu.machine.DeviceDescription;
import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.Phase;
import dev.npuflow.skill.Assessment;
import dev.npuflow.workflow.catalog.GuardedSkill;
import dev.npuflow.workflow.catalog.SkillCatalog;
import dev.npuflow.workflow.catalog.SkillCatalog.LoadedSkill;
import dev.npuflow.workflow.lowering.CompilerPlacement;
import dev.npuflow.workflow.lowering.DeviceLowering;
import dev.npuflow.workflow.lowering.PlanPlacement;
import dev.npuflow.workflow.lowering.PlanTiming;
import dev.npuflow.workflow.lowering.SkillTraits;
import dev.npuflow.workflow.model.ModelConfig;
import dev.npuflow.workflow.trial.Trial;
import dev.npuflow.workflow.trial.TrialBench;
import dev.npuflow.workflow.trial.TrialWatch;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;

/// The plans that can be asked for without measuring anything.
public enum TimedPlan {
    /// One kernel an ELF, everything written on every call.
    BASELINE,
    /// The baseline with the built-in skills applied to its prefill and then to its decode, as Phases 4 and 5 try them: as far as each places, and kept where the
    /// clock says that it is faster. Nothing is run or verified.
    PHASE5,
    /// As mlir-air deploys it.
    UPSTREAM;

    /// A plan that has its place on the device.
    ///
    /// @throws NpuflowException NPF-201 where there is no baseline, NPF-309 for a kind of device without such plans, NPF-250 or NPF-251 where there is no upstream plan, NPF-240 where upstream's does not place
    ///
    /// @param timing of the same device
    /// @param text   that decode is timed for
    public Deployment assemble(String name, ModelConfig config, DeviceDescription device, PlanTiming timing, TextLength text) {
        return switch (this) {
            case UPSTREAM -> upstream(name, config, device);
            case BASELINE -> baseline(name, config, device);
            case PHASE5 -> optimized(baseline(name, config, device), device, timing, text);
        };
    }

    private static Deployment baseline(String name, ModelConfig config, DeviceDescription device) {
        return DeviceLowering.of(device).baseline(name, config);
    }

    private static Deployment upstream(String name, ModelConfig config, DeviceDescription device) {
        Deployment upstream = DeviceLowering.of(device).upstream(name, config).orElseThrow(() -> NpuflowException.badInput("NPF-309", "--plan upstream", "device %s of kind %s".formatted(device.name(), device.kind()),
                "a device whose own tool chain deploys models", "--plan baseline"));
        PlanPlacement.blockers(upstream, device).stream().findFirst().ifPresent(blocker -> {
            throw PlanPlacement.refusal("upstream's plan of %s on %s".formatted(name, device.name()), blocker,
                    hasBaseline(name, config, device) ? "--plan baseline, which chooses tiles that place" : "this: " + blocker.remedy());
        });
        return upstream;
    }

    private static boolean hasBaseline(String name, ModelConfig config, DeviceDescription device) {
        try {
            baseline(name, config, device);
            return true;
        } catch (NpuflowException refused) {
            return false;
        }
    }

    private static Deployment optimized(Deployment baseline, DeviceDescription device, PlanTiming timing, TextLength text) {
        TrialBench bench = new TrialBench(SkillTraits.of(device), new CompilerPlacement(device), plan -> PlanPlacement.blockers(plan, device), new TreeMap<>(),
                GuardedSkill.USUAL_LIMIT);
        List<LoadedSkill> skills = SkillCatalog.load(Optional.empty()).skills();
        Deployment kept = baseline;
        for (Phase phase : List.of(Phase.PREFILL, Phase.DECODE)) {
            for (LoadedSkill loaded : skills) {
                if (bench.run(loaded, kept, phase, TrialWatch.NONE) instanceof Trial.Compiled(Assessment.Proposal proposal)
                        && time(proposal.plan(), phase, timing, text).compareTo(time(kept, phase, timing, text)) < 0) {
                    kept = proposal.plan();
                }
            }
        }
        return kept;
    }

    private static Picoseconds time(Deployment deployment, Phase phase, PlanTiming timing, TextLength text) {
        return timing.time(deployment, phase, phase == Phase.PREFILL ? text.promptTokens() : text.positionsAfter(0));
    }

    /// As help and messages write it.
    @Override public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
