package dev.npuflow.skill.merge;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.DeviceTrait;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import dev.npuflow.skill.SkillOption;
import dev.npuflow.skill.SkillOption.Switch;
import java.util.List;
import java.util.Optional;

/// Puts the launches of neighbouring XRT calls into one ELF: one dispatch instead of many, and what only they hand to each other stays on
/// the device. A host operation or a section's border is a hard stop. Every launch computes what it did before, so the
/// self-check demands equal bits, unless upstream's split moves operations to the host.
public final class MergeLaunches implements Skill {

    /// Upstream's split for the model's shape: only what its ELFs hold together is merged, and what its host computes the host computes here.
    private static final Switch CONSERVATIVE = new Switch("conservative", false, "merge only what mlir-air builds in one ELF, and leave to the host what it leaves there");

    private static final List<DeviceTrait> NEEDED = List.of(DeviceTrait.CHAINED_CALLS, DeviceTrait.DEVICE_BARRIER, DeviceTrait.COHERENT_MEMORY);

    @Override public String name() {
        return "opt-merge-multi-launch-kernels";
    }

    @Override public int order() {
        return 100;
    }

    @Override public List<SkillOption> options() {
        return List.of(CONSERVATIVE);
    }

    @Override public Assessment assess(Deployment deployment, SkillContext context) {
        Optional<String> lacking = context.lacks(NEEDED);
        if (lacking.isPresent()) {
            return Assessment.notApplicable(lacking.get());
        }
        PhasePlan before = deployment.phase(context.phase());
        PhasePlan start = start(deployment, context);
        Merging merging = merging(start, deployment, context);
        PhasePlan merged = merging.merged();
        int layers = deployment.model().layers();
        if (merged.callsPerPass(layers) >= before.callsPerPass(layers)) {
            return Assessment.notApplicable(merging.whyNot());
        }
        // The host's norm and exponential are not the cores'.
        return Assessment.proposal(deployment.withPhase(context.phase(), merged), "XRT calls per pass %d -> %d".formatted(before.callsPerPass(layers), merged.callsPerPass(layers)))
                .changingBits(!start.equals(before)).withWarnings(unknown(deployment, merged, context)).withEvidence(MergeEvidence.of(before, merged));
    }

    /// By placeability alone, or only what upstream builds together too.
    private static Merging merging(PhasePlan start, Deployment deployment, SkillContext context) {
        UpstreamSplit upstream = new UpstreamSplit(deployment.model(), context.phase());
        return new Merging(start, context, context.isOn(CONSERVATIVE) ? upstream::together : (_, _) -> true);
    }

    /// What is to be merged: without the calls that upstream does not make.
    private static PhasePlan start(Deployment deployment, SkillContext context) {
        PhasePlan plan = deployment.phase(context.phase());
        return context.isOn(CONSERVATIVE) ? HostMove.apply(plan, new UpstreamSplit(deployment.model(), context.phase())::onHost) : plan;
    }

    /// A warning for each new call that upstream does not build.
    private static List<String> unknown(Deployment before, PhasePlan after, SkillContext context) {
        UpstreamSplit upstream = new UpstreamSplit(before.model(), context.phase());
        List<NpuCall> known = before.phase(context.phase()).calls().toList();
        return after.calls().filter(call -> !known.contains(call)).flatMap(call -> upstream.unknownTo(call).stream()).toList();
    }
}
