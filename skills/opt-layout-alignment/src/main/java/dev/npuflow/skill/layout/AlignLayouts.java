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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.SequencedSet;
import java.util.stream.Stream;

/// Lets an operation that takes heads first work on what its neighbours have, positions first, and drops the host transposes around it.
/// Only the addresses of values change, so the self-check demands equal bits.
public final class AlignLayouts implements Skill {

    @Override public String name() {
        return "opt-layout-alignment";
    }

    @Override public Assessment assess(Deployment deployment, SkillContext context) {
        PhasePlan plan = deployment.phase(context.phase());
        SequencedSet<String> obstacles = new LinkedHashSet<>();
        long transposes = transposes(plan);
        long removed = transposes - transposes(aligned(plan, context, obstacles));
        if (removed > 0) {
            return applies("%d of %d host transposes are between steps that can hand off directly".formatted(removed, transposes));
        }
        if (!obstacles.isEmpty()) {
            return doesNotApply(String.join("; ", obstacles));
        }
        return doesNotApply(transposes > 0 ? "no host transpose stands between steps that can hand off directly"
                : "the %s plan has no host transpose".formatted(context.phase().name().toLowerCase(Locale.ROOT)));
    }

    @Override public Deployment apply(Deployment deployment, SkillContext context) {
        return deployment.withPhase(context.phase(), aligned(deployment.phase(context.phase()), context, new LinkedHashSet<>()));
    }

    private static PhasePlan aligned(PhasePlan plan, SkillContext context, SequencedSet<String> obstacles) {
        return plan.mapSections(section -> {
            HandOff handOff = new HandOff(plan, section, context.placement());
            List<Step> steps = handOff.aligned();
            obstacles.addAll(handOff.obstacles());
            return steps;
        });
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
                new FailureMode("FlashAttention hangs", "heads wider than 64 were handed over positions first", "leave them head first"),
                new FailureMode("time unchanged", "the transposes were not between the steps that dominate", "leave the plan as it was"));
    }
}
