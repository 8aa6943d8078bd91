package dev.npuflow.skill.merge;

import static dev.npuflow.skill.Assessment.applies;
import static dev.npuflow.skill.Assessment.doesNotApply;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.NpuCall;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.FailureMode;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import java.util.List;

/// Puts the launches of neighbouring XRT calls into one ELF: one dispatch instead of many, and what only they hand to each other stays on
/// the device. A host operation or a section's border is a hard stop. Every launch computes what it did before, so the
/// self-check demands equal bits, unless upstream's split moves operations to the host.
public final class MergeLaunches implements Skill {

    /// Option `conservative=on`: upstream's split for the model's shape. Only what its ELFs hold together is merged, and what its host computes the host
    /// computes here.
    private static final String CONSERVATIVE = "conservative";
    private static final String ON = "on";
    private static final String OFF = "off";

    @Override public String name() {
        return "opt-merge-multi-launch-kernels";
    }

    /// The host's norm and exponential are not the cores'.
    @Override public boolean changesArithmetic(Deployment deployment, SkillContext context) {
        return !start(deployment, context).equals(deployment.phase(context.phase()));
    }

    @Override public Assessment assess(Deployment deployment, SkillContext context) {
        String asked = context.options().getOrDefault(CONSERVATIVE, OFF);
        if (!asked.equals(ON) && !asked.equals(OFF)) {
            return doesNotApply("option %s is '%s': expected on or off".formatted(CONSERVATIVE, asked));
        }
        Merging merging = merging(deployment, context);
        int layers = deployment.model().layers();
        long before = deployment.phase(context.phase()).callsPerPass(layers);
        long after = merging.merged().callsPerPass(layers);
        return after < before ? applies("XRT calls per pass %d -> %d".formatted(before, after)) : doesNotApply(merging.whyNot());
    }

    @Override public Deployment apply(Deployment deployment, SkillContext context) {
        return deployment.withPhase(context.phase(), merging(deployment, context).merged());
    }

    /// By placeability alone, or only what upstream builds together too.
    private static Merging merging(Deployment deployment, SkillContext context) {
        UpstreamSplit upstream = new UpstreamSplit(deployment.model(), context.phase());
        return new Merging(start(deployment, context), context, isConservative(context) ? upstream::together : (_, _) -> true);
    }

    /// What is to be merged: without the calls that upstream does not make.
    private static PhasePlan start(Deployment deployment, SkillContext context) {
        PhasePlan plan = deployment.phase(context.phase());
        return isConservative(context) ? HostMove.apply(plan, new UpstreamSplit(deployment.model(), context.phase())::onHost) : plan;
    }

    private static boolean isConservative(SkillContext context) {
        return context.options().getOrDefault(CONSERVATIVE, OFF).equals(ON);
    }

    @Override public List<String> warnings(Deployment before, Deployment after, SkillContext context) {
        UpstreamSplit upstream = new UpstreamSplit(after.model(), context.phase());
        List<NpuCall> known = before.phase(context.phase()).calls().toList();
        return after.phase(context.phase()).calls().filter(call -> !known.contains(call)).flatMap(call -> upstream.unknownTo(call).stream()).toList();
    }

    @Override public List<FailureMode> failureModes() {
        return List.of(
                new FailureMode("buffer descriptors exhausted", "too many concurrent L3 streams in one ELF", "un-merge the last launch"),
                new FailureMode("symbol redefined at link", "two tilings of one kernel under one symbol", "rename one"),
                new FailureMode("allocated buffers exceed the core's memory", "ping-pong belongs to the ELF and one launch has no room for it",
                        "ping-pong off for that ELF"),
                new FailureMode("a value is stale after the merge", "a host step still reads a value that is no longer read back",
                        "keep the read-back of values that are used outside"),
                new FailureMode("gate fails with `--conservative` only, `localize` finds no operator",
                        "the reference's tokens lie so close that last bits decide", "`--conservative` left out: the same bits as before"),
                new FailureMode("ms/token unchanged", "dispatch was not the bottleneck, or the merge did not take effect",
                        "check the calls per token; apply buffer-object reuse next"));
    }
}
