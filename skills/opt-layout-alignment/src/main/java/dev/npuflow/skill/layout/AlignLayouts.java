package dev.npuflow.skill.layout;

import static dev.npuflow.skill.Assessment.applies;
import static dev.npuflow.skill.Assessment.doesNotApply;

import dev.npuflow.plan.Deployment;
import dev.npuflow.plan.HostKind;
import dev.npuflow.plan.HostOp;
import dev.npuflow.plan.PhasePlan;
import dev.npuflow.plan.Step;
import dev.npuflow.skill.Assessment;
import dev.npuflow.skill.FailureMode;
import dev.npuflow.skill.Skill;
import dev.npuflow.skill.SkillContext;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/// Lets an operation that takes heads first work on what its neighbours have, positions first, and drops the host transposes around it.
/// Only the addresses of values change, so the self-check demands equal bits.
public final class AlignLayouts implements Skill {

    @Override public String name() {
        return "opt-layout-alignment";
    }

    @Override public Assessment assess(Deployment deployment, SkillContext context) {
        PhasePlan plan = deployment.phase(context.phase());
        long transposes = transposes(plan);
        long removed = transposes - transposes(apply(deployment, context).phase(context.phase()));
        if (removed > 0) {
            return applies("%d of %d host transposes are between steps that can hand off directly".formatted(removed, transposes));
        }
        return doesNotApply(transposes > 0 ? "no host transpose stands between steps that can hand off directly"
                : "the %s plan has no host transpose".formatted(context.phase().name().toLowerCase(Locale.ROOT)));
    }

    @Override public Deployment apply(Deployment deployment, SkillContext context) {
        PhasePlan plan = deployment.phase(context.phase());
        return deployment.withPhase(context.phase(), plan.mapSections(section -> new HandOff(plan, section).aligned()));
    }

    private static long transposes(PhasePlan plan) {
        return hostOps(plan.steps()).filter(op -> op.kind() == HostKind.TRANSPOSE).count();
    }

    private static Stream<HostOp> hostOps(Stream<Step> steps) {
        return steps.filter(HostOp.class::isInstance).map(HostOp.class::cast);
    }

    @Override public List<FailureMode> failureModes() {
        return List.of(
                new FailureMode("cosine low from the first layer on", "a consumer still expects heads first",
                        "change the layout of all its operands"),
                new FailureMode("only the KV cache is wrong", "the cache was filled in the other layout",
                        "change producer and consumer of it together"),
                new FailureMode("time unchanged", "the transposes were not between the steps that dominate", "leave the plan as it was"));
    }
}
